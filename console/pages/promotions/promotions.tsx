import { Button } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { Page } from '../../parts/page.tsx';
import { useSession } from '../../session/session.tsx';
import { PromotionEditor } from './promotion-editor.tsx';
import { PromotionList } from './promotion-list.tsx';

/** The promotion is in the address: `?promo=17`, or `?promo=new`. */
export default function Promotions() {
  const [search, setSearch] = useSearchParams();
  const mayChange = ['full', 'catalog'].includes(useSession().key.role);
  const promo = search.get('promo');
  const open = (id: string | undefined) => setSearch(id === undefined ? {} : { promo: id });
  if (promo !== null) {
    return (
      <Page
        title={promo === 'new' ? 'New promotion' : `Promotion ${promo}`}
        actions={
          <Button variant="default" onClick={() => open(undefined)}>
            All promotions
          </Button>
        }
      >
        <PromotionEditor key={promo} id={promo} mayChange={mayChange} onCreated={open} />
      </Page>
    );
  }
  const create = mayChange && <Button onClick={() => open('new')}>Create a promotion</Button>;
  return (
    <Page title="Promotions" actions={create}>
      <PromotionList onOpen={open} />
    </Page>
  );
}
