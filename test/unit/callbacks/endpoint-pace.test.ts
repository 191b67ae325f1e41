import { expect, test } from 'vitest';
import { delaySecondsOf, isInTime, slotsAtOnce } from '../../../shared/callbacks/endpoint/pace.ts';

test('an attempt without a slot does not keep a pace', () => {
  expect(isInTime(undefined, 0)).toBe(false);
});

test('a worker takes the slots of 2 s at once, 100 at most, and no more than it needs', () => {
  expect([1, 3, 40, 49, 50, 51, 1_000].map((perSecond) => slotsAtOnce(perSecond, 1_000))).toEqual([
    2, 6, 80, 98, 100, 100, 100,
  ]);
  expect([0, 1, 5, 6, 7].map((needed) => slotsAtOnce(3, needed))).toEqual([0, 1, 5, 6, 6]);
});

test('a message returns a second before its time in the line, after 5 minutes at most, and at once when that is over', () => {
  const delay = (waitMs: number) =>
    delaySecondsOf({ since: 0, until: 1_000_000 + waitMs, perSecond: 1 }, 1_000_000);
  expect([-5_000, 0, 999, 1_000, 1_999, 2_000, 2_999, 3_000].map(delay)).toEqual([0, 0, 0, 0, 0, 1, 1, 2]);
  expect([300_999, 301_000, 301_001, 900_000].map(delay)).toEqual([299, 300, 300, 300]);
});
