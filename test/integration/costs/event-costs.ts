import { randomUUID } from 'node:crypto';
import { eventStore } from '../../../shared/events/event-store.ts';
import { type CostCases, count, worst } from './cost-case.ts';
import { by } from './cost-partner.ts';

export const eventCosts: CostCases = {
  ListEvents: [
    worst('events of another kind than the wanted one', { read: 10 }, async (table) => {
      const event = { kind: 'promotion.updated', by: 'b'.repeat(128), atMs: Date.now() } as const;
      const data = {
        promoId: 1_000,
        members: ['name', 'startDate', 'endDate', 'images', 'description', 'discount'],
      };
      for (const _ of count(101)) await eventStore(table).add('bars', { ...event, data });
      return { ...by('bars'), query: { kind: 'key.created', limit: '100' } };
    }),
    worst('a whole page of notices, and as many other events', { read: 20 }, async (table) => {
      const login = 'l'.repeat(128);
      const data = { what: 'address, HTTP Basic, timeout, log changed', messageId: randomUUID() };
      for (const kind of ['endpoint.changed', 'send.scheduled'] as const)
        for (const _ of count(101))
          await eventStore(table).add('both', { kind, by: login, atMs: Date.now(), data });
      return { ...by('both'), query: { limit: '100' } };
    }),
  ],
};
