import { eventStore } from '../../../shared/events/event-store.ts';
import { type CostCases, count } from './cost-case.ts';
import { by } from './cost-partner.ts';

export const eventCosts: CostCases = {
  ListEvents: [
    {
      worst: 'events of another kind than the wanted one',
      request: async (table) => {
        const event = { kind: 'promotion.updated', by: 'b'.repeat(128), atMs: Date.now() } as const;
        const data = {
          promoId: 1_000,
          members: ['name', 'startDate', 'endDate', 'images', 'description', 'discount'],
        };
        for (const _ of count(101)) await eventStore(table).add('bars', { ...event, data });
        return { ...by('bars'), query: { kind: 'key.created', limit: '100' } };
      },
      units: { read: 9, write: 0 },
    },
  ],
};
