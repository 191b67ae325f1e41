import { Anchor, Badge, Button, Group, Image, Pagination, SimpleGrid, Text } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { seldom, useApi } from '../../api/use-api.ts';
import { Card, NextStep, Page } from '../../parts/page.tsx';
import { WithResponse } from '../../parts/response.tsx';
import { Facts, Rows } from '../../parts/rows.tsx';
import { useSession } from '../../session/session.tsx';
import { shownDate } from './dates.ts';
import type { Promotion } from './promotion-change.ts';
import { PromotionForm } from './promotion-form.tsx';

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

const colors = { planned: 'blue', active: 'green', completed: 'gray' } as const;

function PromotionStatus({ status }: Pick<Promotion, 'status'>) {
  return <Badge color={colors[status]}>{status}</Badge>;
}

const style =
  'body { margin: 12px; font: 15px/1.5 sans-serif; color: #111; background: #fff; overflow-wrap: anywhere } img { max-width: 100% }';

/** Links point to a new window, which the frame may not open, so they do nothing. */
function documentOf(description: string): string {
  return `<!doctype html><html lang="ru"><head><title>Description</title><base target="_blank"><style>${style}</style></head><body>${description}</body></html>`;
}

function PromotionView({ promotion }: { promotion: Promotion }) {
  const { name, status, startDate, endDate, discount, images, description } = promotion;
  // The Content-Security-Policy lets the page load no other images.
  const shown = Object.entries(images).filter(([, url]) => url?.startsWith('https:'));
  return (
    <Card title="Stored promotion">
      <Facts
        facts={{
          Name: name,
          Status: <PromotionStatus status={status} />,
          From: shownDate(startDate),
          To: shownDate(endDate),
          Discount: discount || 'none',
          ...images,
        }}
      />
      <Group mt="sm">
        {shown.map(([kind, url]) => (
          <Image key={kind} src={url} alt={kind} h={80} w="auto" referrerPolicy="no-referrer" />
        ))}
      </Group>
      <Text c="dimmed" mt="sm" mb={4}>
        This is the description after the service has removed scripts, styles, handlers and unknown elements.
      </Text>
      {description === '' ? (
        <Text>There is no description.</Text>
      ) : (
        <iframe
          title="Description"
          sandbox=""
          srcDoc={documentOf(description)}
          style={{ width: '100%', height: 320, border: '1px solid var(--mantine-color-default-border)' }}
        />
      )}
    </Card>
  );
}
