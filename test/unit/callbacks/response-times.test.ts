import { expect, test } from 'vitest';
import { responseTimes } from '../../../shared/callbacks/endpoint/response-times.ts';
import { fakeClock } from '../../support/clock.ts';

function rig(random = 0.5) {
  const clock = fakeClock(1_000_000);
  const times = responseTimes({ clock, random: () => random });
  const took = (...durations: number[]) => {
    for (const durationMs of durations) times.learn('bars', { ok: true, httpStatus: 200, durationMs });
  };
  return { clock, times, took };
}

test.each([
  { durations: [2_000], isSlow: false },
  { durations: [2_001], isSlow: true },
  { durations: [0, 4_001], isSlow: true },
  { durations: [0, 0, 0, 8_000], isSlow: false },
  { durations: [0, 0, 0, 0, 8_001], isSlow: true },
])('an endpoint is slow when its last four responses took more than 2 s on average: $durations', (one) => {
  const { times, took } = rig();
  took(...one.durations);
  expect(times.isSlow('bars')).toBe(one.isSlow);
});

test('one timeout makes an endpoint slow, however quick it was before, and no other endpoint', () => {
  const { times, took } = rig();
  took(50, 50, 50);
  times.learn('bars', { ok: false, error: 'timeout', durationMs: 5_000 });
  expect([times.isSlow('bars'), times.isSlow('bakery')]).toEqual([true, false]);
});

test.each([
  { nextMs: 2_000, isSlow: false },
  { nextMs: 2_001, isSlow: true },
])(
  'a response of a slow endpoint in 2 s or less replaces what was known: $nextMs ms',
  ({ nextMs, isSlow }) => {
    const { clock, times, took } = rig();
    took(8_000, 8_000);
    clock.advance(300_000);
    took(nextMs);
    expect(times.isSlow('bars')).toBe(isSlow);
  },
);

test.each([
  { random: 0.5, afterMs: 299_999, isSlow: true },
  { random: 0.5, afterMs: 300_000, isSlow: false },
  { random: 0.99, afterMs: 300_000, isSlow: true },
])('instances try a slow endpoint again after about five minutes, at different times: %o', (one) => {
  const { clock, times, took } = rig(one.random);
  took(8_000);
  clock.advance(one.afterMs);
  expect(times.isSlow('bars')).toBe(one.isSlow);
});
