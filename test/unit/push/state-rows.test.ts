import { expect, test } from 'vitest';
import { locateStates, stateKeys, statesIn } from '../../../shared/push/message-states.ts';

const bulkId = '5f0c1b9e-7a52-8c0e-9a1c-2f6f7f0f';
const single = '5f0c1b9e-7a52-4c0e-9a1c-2f6f7f0f7d11';

test('forty neighbours of a bulk send share a row of states', () => {
  expect([1, 40, 41, 80, 81].map((count) => stateKeys({ bulkId, count }).length)).toEqual([1, 1, 2, 2, 3]);
  const [first, second] = stateKeys({ bulkId, count: 41 });
  // The last four digits of an id are its position in the send, in hexadecimal.
  expect(['0000', '0027', '0028', '004f'].map((position) => locateStates(bulkId + position))).toEqual([
    { key: first, n: 0, unitMs: 1_000 },
    { key: first, n: 39, unitMs: 1_000 },
    { key: second, n: 0, unitMs: 1_000 },
    { key: second, n: 39, unitMs: 1_000 },
  ]);
  expect(locateStates(single)).toMatchObject({ n: 0, unitMs: 1 });
});

test('a row says of each of its messages which states are new, and knows no forty-first', () => {
  const [, key] = stateKeys({ bulkId, count: 41 });
  const before = { d0: 1_779_278_402 };
  const row = { ...key, ...before, o0: 1_779_278_403, e39: 1_779_278_404, d40: 1_779_278_405 };
  expect(statesIn(row, before)).toEqual([
    { messageId: `${bulkId}0028`, state: 'OPENED', atMs: 1_779_278_403_000 },
    { messageId: `${bulkId}004f`, state: 'EXPIRED', atMs: 1_779_278_404_000 },
  ]);
  const own = { ...locateStates(single)?.key, d0: 1_779_278_402_123, d1: 1_779_278_402_124 };
  expect(statesIn(own)).toEqual([{ messageId: single, state: 'DELIVERED', atMs: 1_779_278_402_123 }]);
});
