import type { Consumption } from './meter-layer.ts';

export type UnitBudget = Pick<Consumption, 'read' | 'write' | 'queueRequests' | 'invocations'>;

function budget(read: number, write: number, queueRequests: number, invocations: number): UnitBudget {
  return {
    read,
    write,
    queueRequests,
    invocations,
  };
}

/**
 * What each flow may consume at most: read units, write units, requests of queues that functions send (64 kB
 * each), invocations. Where deliveries are batched by chance there is room for smaller batches.
 */
export const unitBudgets: Readonly<Record<string, UnitBudget>> = {
  'open a check-in, the fifth at its place': budget(2.5, 3, 0, 1),
  'list five check-ins': budget(1, 0, 0, 1),
  'use a check-in up': budget(1, 2, 0, 1),
  'set 1,000 recipients': budget(0, 1_000, 0, 1),
  'create a promotion': budget(0, 5, 0, 1),
  'update a promotion': budget(1, 4, 0, 1),
  'details of a promotion': budget(1, 0, 0, 1),
  'list promotions': budget(1, 0, 0, 1),
  'list active promotions': budget(1, 0, 0, 1),
  'active promotions for the wallet': budget(2, 0, 0, 1),
  'a page of places for the wallet': budget(1, 0, 0, 1),
  'sync of 10 new': budget(2, 16, 1, 2),
  'sync of 10 unchanged': budget(3, 4, 1, 2),
  'sync of 10, 1 % changed': budget(3, 6, 1, 2),
  'sync of 1,000 new': budget(5, 1_010, 2, 4),
  'sync of 1,000 unchanged': budget(120, 6, 2, 4),
  'sync of 1,000, 1 % changed': budget(120, 18, 2, 4),
  'sync of 10,000 new': budget(40, 10_070, 15, 12),
  'sync of 10,000 unchanged': budget(1_600, 25, 15, 12),
  'sync of 10,000, 1 % changed': budget(1_600, 160, 15, 12),
  'sync of 100,000 new': budget(400, 100_700, 150, 120),
  'sync of 100,000 unchanged': budget(16_000, 250, 150, 120),
  'sync of 100,000, 1 % changed': budget(16_000, 1_600, 150, 120),
  // Half a unit for the recipient, one for each receipt's message, half for the endpoint in each of two instances.
  'one message, with callbacks': budget(3.5, 4, 3, 8),
  'bulk of 1, with callbacks': budget(6, 5, 3, 8),
  'bulk of 1,000, with callbacks': budget(640, 2_010, 300, 400),
  'bulk of 10,000, with callbacks': budget(6_000, 20_090, 3_000, 4_000),
  'bulk of 10,000, accepted and handed over': budget(5_100, 150, 20, 6),
};
