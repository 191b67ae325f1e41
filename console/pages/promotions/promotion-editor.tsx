import { SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import { useApi } from '../../api/use-api.ts';
import { Answered } from '../../parts/answered.tsx';
import { Card } from '../../parts/card.tsx';
import { PromotionForm } from './promotion-form.tsx';
import { PromotionView } from './promotion-view.tsx';

interface Props {
  readonly id: string;
  readonly mayChange: boolean;
  readonly onCreated: (id: string) => void;
}

/** The form, and beside it the promotion as the service stores it. */
export function PromotionEditor({ id, mayChange, onCreated }: Props) {
  const isNew = id === 'new';
  const stored = useApi('GET /promo/v1/details', { query: { promoId: id } }, { enabled: !isNew });
  const [saved, setSaved] = useState(0);
  if (isNew && mayChange) {
    return (
      <Card title="What it says">
        <PromotionForm promotion={undefined} onSaved={onCreated} />
      </Card>
    );
  }
  return (
    <Answered query={stored}>
      {(promotion) => (
        <SimpleGrid cols={{ base: 1, lg: mayChange ? 2 : 1 }}>
          {mayChange && (
            <Card title="What it says">
              {/* Begins again from what the service stored. */}
              <PromotionForm
                key={saved}
                promotion={promotion}
                onSaved={() => setSaved((times) => times + 1)}
              />
            </Card>
          )}
          <PromotionView promotion={promotion} isSaved={saved > 0} />
        </SimpleGrid>
      )}
    </Answered>
  );
}
