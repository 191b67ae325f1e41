import { Anchor, Checkbox, Group, Pagination } from '@mantine/core';
import { useState } from 'react';
import { useApi } from '../../api/use-api.ts';
import { Answered } from '../../parts/answered.tsx';
import { Card } from '../../parts/card.tsx';
import { NextStep } from '../../parts/next-step.tsx';
import { Rows } from '../../parts/rows.tsx';
import { shownDate } from './dates.ts';
import { PromotionStatus } from './promotion-status.tsx';

const limit = 15;

export function PromotionList({ onOpen }: { readonly onOpen: (id: string) => void }) {
  const [activeOnly, setActiveOnly] = useState(false);
  const [page, setPage] = useState(1);
  const query = useApi(
    'GET /promo/v1/all',
    { query: { limit, offset: (page - 1) * limit, activeOnly } },
    { placeholderData: (before) => before },
  );
  return (
    <Card title="Newest start first">
      <Checkbox
        mb="sm"
        label="Active only"
        checked={activeOnly}
        onChange={(event) => {
          setActiveOnly(event.currentTarget.checked);
          setPage(1);
        }}
      />
      <Answered query={query}>
        {({ items, metadata: { totalCount } }) =>
          items.length === 0 ? (
            <NextStep title={activeOnly ? 'No promotion is active' : 'No promotions yet'}>
              {activeOnly
                ? 'Those that are planned or completed are in the list of all.'
                : 'Create one: a push message can then open it on the phone.'}
            </NextStep>
          ) : (
            <>
              <Rows
                label="Promotions"
                columns={['Name', 'Status', 'From', 'To', 'Number']}
                rows={items.map(({ promoId, name, status, startDate, endDate }) => ({
                  key: String(promoId),
                  cells: [
                    <Anchor
                      key="name"
                      component="button"
                      ta="left"
                      size="sm"
                      onClick={() => onOpen(String(promoId))}
                    >
                      {name}
                    </Anchor>,
                    <PromotionStatus key="status" status={status} />,
                    shownDate(startDate),
                    endDate === null ? 'no end' : shownDate(endDate),
                    promoId,
                  ],
                }))}
              />
              {totalCount > limit && (
                <Group mt="sm" justify="flex-end">
                  <Pagination
                    size="sm"
                    value={page}
                    onChange={setPage}
                    total={Math.ceil(totalCount / limit)}
                    getControlProps={(control) => ({ 'aria-label': `${control} page` })}
                    getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
                  />
                </Group>
              )}
            </>
          )
        }
      </Answered>
    </Card>
  );
}
