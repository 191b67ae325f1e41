import { expect, test } from 'vitest';
import { noHistory, withAttempt } from '../../../shared/callbacks/rows/callback-store.ts';

test('a callback keeps its newest 20 attempts, and the responses of the newest 3', () => {
  let history = noHistory;
  for (let at = 1; at <= 21; at++)
    history = withAttempt(history, { at, durationMs: 1, error: 'status', response: `no ${at}` });
  expect(history.tries).toBe(21);
  expect(history.attempts.map(({ at }) => at)).toEqual([
    2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
  ]);
  expect(history.attempts.flatMap(({ response }) => response ?? [])).toEqual(['no 19', 'no 20', 'no 21']);
});
