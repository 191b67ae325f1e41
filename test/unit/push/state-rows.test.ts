import { expect, test } from 'vitest';
import { locateStates, statesIn } from '../../../shared/push/message-states.ts';

const bulkId = '5f0c1b9e-7a52-8c0e-9a1c-2f6f7f0f';

test('a row says of each of its messages which states are new, and knows no forty-first', () => {
  const key = locateStates(`${bulkId}0028`)?.key;
  const before = { d0: 1_779_278_402 };
  const row = { ...key, ...before, o0: 1_779_278_403, e39: 1_779_278_404, d40: 1_779_278_405 };
  expect(statesIn(row, before)).toEqual([
    { messageId: `${bulkId}0028`, state: 'OPENED', atMs: 1_779_278_403_000 },
    { messageId: `${bulkId}004f`, state: 'EXPIRED', atMs: 1_779_278_404_000 },
  ]);
});

test.each([
  [{ o0: 3, c0: 4 }, {}, ['OPENED']],
  [{ o0: 3, c0: 4 }, { o0: 3 }, []],
  [{ o0: 4, c0: 4 }, {}, ['OPENED', 'CANCELLED']],
  [{ d0: 3, c0: 4 }, {}, ['DELIVERED', 'CANCELLED']],
  [{ c0: 4, e0: 4 }, { e0: 4 }, []],
])(
  'rule 54: what was opened before, or has expired, is not CANCELLED: %j after %j',
  (states, before, told) => {
    const key = locateStates(`${bulkId}0000`)?.key;
    expect(statesIn({ ...key, ...states }, before).map(({ state }) => state)).toEqual(told);
  },
);
