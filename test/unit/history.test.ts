import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Change, historyTime, orderHistory } from '../../shared/push/history.ts';
import { seed } from '../support/property-runs.ts';

const life = ['ENQUEUED', 'EXPIRED', 'DELIVERED', 'CANCELLED', 'OPENED'];

test('rule 18: a history has each state once, in the order of time, and of one moment in the order of life', () => {
  const atMs = fc.integer({ min: 1, max: 4 });
  const reported = fc.option(atMs, { nil: undefined });
  const property = fc.property(atMs, reported, reported, reported, reported, (acceptedAt, ...later) => {
    const given = life.flatMap((state, n) => {
      const at = [acceptedAt, ...later][n];
      return at === undefined ? [] : [{ state, atMs: at } as Change];
    });
    const [, ...states] = given as [Change, ...Change[]];
    const place = ({ state, atMs: at }: Change) => at * 10 + life.indexOf(state);
    const message = { registered: true, acceptedAt };
    const sorted = given.map(place).sort((a, b) => a - b);
    expect(orderHistory(message, states.reverse()).map(place)).toEqual(sorted);
  });
  fc.assert(property, { seed });
});

test('states that are known to the second come after the acceptance within that second', () => {
  const states: Change[] = [
    { state: 'OPENED', atMs: 2_000 },
    { state: 'EXPIRED', atMs: 2_000 },
    { state: 'CANCELLED', atMs: 2_000 },
    { state: 'DELIVERED', atMs: 2_000 },
  ];
  const acceptedAt = (atMs: number) => ({ registered: true, acceptedAt: atMs });
  expect(orderHistory(acceptedAt(2_700), states, 1_000).map(({ state }) => state)).toEqual(life);
  expect(orderHistory(acceptedAt(3_000), states, 1_000).at(-1)?.state).toBe('ENQUEUED');
});

test('rule 8: a time is that of Moscow, with its offset', () => {
  expect(historyTime(Date.parse('2026-05-20T21:30:00.999Z'))).toBe('2026-05-21T00:30:00+0300');
});

test('rule 54: a scheduled message was handed over at its release, unless it had ended before', () => {
  const message = { registered: true, acceptedAt: 1_000, deliverFrom: 5_000, releasedAt: 8_000 };
  const history = (state: Change['state'], atMs: number) =>
    orderHistory(message, [{ state, atMs }], 1_000).map((change) => change.state);
  for (const end of ['CANCELLED', 'EXPIRED'] as const) {
    expect(history(end, 7_999)).toEqual(['SCHEDULED', end]);
    expect(history(end, 8_000)).toEqual(['SCHEDULED', 'ENQUEUED', end]);
    expect(history(end, 9_000)).toEqual(['SCHEDULED', 'ENQUEUED', end]);
  }
  expect(history('DELIVERED', 7_000)).toEqual(['SCHEDULED', 'DELIVERED', 'ENQUEUED']);
});

test('rule 54: the release of a scheduled send does not show for a number that is not registered', () => {
  const released = { registered: false, acceptedAt: 1_000, deliverFrom: 5_000, releasedAt: 9_000 };
  expect(orderHistory(released, [])).toEqual([{ state: 'MSISDN_NOT_REGISTERED', atMs: 1_000 }]);
});
