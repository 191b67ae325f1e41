import { randomUUID } from 'node:crypto';
import { addEvent } from '../../support/add-event.ts';
import { type CostCases, count, worst } from './cost-case.ts';
import { by } from './cost-partner.ts';

export const eventCosts: CostCases = {
  ListEvents: [
    worst('a whole page of notices, and as many other events', { read: 20 }, async (table) => {
      const login = 'l'.repeat(128);
      const data = { what: 'address, HTTP Basic, timeout, log changed', messageId: randomUUID() };
      for (const kind of ['endpoint.changed', 'send.scheduled'] as const)
        for (const _ of count(101))
          await addEvent(table, 'both', { kind, by: login, atMs: Date.now(), data });
      return { ...by('both'), query: { limit: '100' } };
    }),
  ],
};
