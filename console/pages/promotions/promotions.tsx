import { Anchor, Button, Group, Pagination, SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { seldom, useApi } from '../../api/use-api.ts';
import { Card, NextStep, Page } from '../../parts/page.tsx';
import { WithResponse } from '../../parts/response.tsx';
import { Rows } from '../../parts/rows.tsx';
import { useSession } from '../../session/session.tsx';
import { shownDate } from './dates.ts';
import { PromotionForm } from './promotion-form.tsx';
import { PromotionStatus, PromotionView } from './promotion-view.tsx';

/** The address names the promotion that is open: `?promo=17`, or `?promo=new`. */
export default function Promotions() {
  const [search, setSearch] = useSearchParams();
  const mayChange = useSession().may('catalog');
  const promo = search.get('promo');
  const open = (id: string) => setSearch({ promo: id });
  if (promo !== null) {
    const back = (
      <Button variant="default" onClick={() => setSearch({})}>
        All promotions
      </Button>
    );
    return (
      <Page title={promo === 'new' ? 'New promotion' : `Promotion ${promo}`} actions={back}>
        {promo === 'new' && mayChange ? (
          <Card title="Fields">
            <PromotionForm onCreated={open} />
          </Card>
        ) : (
          <Editor key={promo} id={promo} mayChange={mayChange} />
        )}
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

function Editor({ id, mayChange }: { id: string; mayChange: boolean }) {
  const stored = useApi('GET /promo/v1/details', { query: { promoId: id } }, seldom);
  return (
    <WithResponse query={stored}>
      {(promotion) => (
        <SimpleGrid cols={{ base: 1, lg: mayChange ? 2 : 1 }}>
          {mayChange && (
            <Card title="Edit">
              <PromotionForm promotion={promotion} />
            </Card>
          )}
          <PromotionView promotion={promotion} />
        </SimpleGrid>
      )}
    </WithResponse>
  );
}

const limit = 15;

function PromotionList({ onOpen }: { onOpen: (id: string) => void }) {
  const [page, setPage] = useState(1);
  const query = useApi(
    'GET /promo/v1/all',
    { query: { limit, offset: (page - 1) * limit } },
    { ...seldom, placeholderData: (before) => before },
  );
  const empty = (
    <NextStep title="No promotions yet">Create one, and a push message can open it on the phone.</NextStep>
  );
  return (
    <Card title="Promotions, the newest start first">
      <WithResponse query={query}>
        {({ items, metadata: { totalCount } }) => (
          <>
            <Rows
              label="Promotions"
              items={items}
              idOf={({ promoId }) => String(promoId)}
              columns={{
                Name: ({ name, promoId }) => (
                  <Anchor component="button" ta="left" size="sm" onClick={() => onOpen(String(promoId))}>
                    {name}
                  </Anchor>
                ),
                Status: ({ status }) => <PromotionStatus status={status} />,
                From: ({ startDate }) => shownDate(startDate),
                To: ({ endDate }) => shownDate(endDate),
                Number: ({ promoId }) => promoId,
              }}
              empty={empty}
            />
            {totalCount > limit && (
              <Group mt="sm" justify="flex-end">
                <Pagination value={page} onChange={setPage} total={Math.ceil(totalCount / limit)} />
              </Group>
            )}
          </>
        )}
      </WithResponse>
    </Card>
  );
}
