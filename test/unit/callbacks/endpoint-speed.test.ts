import { expect, test } from 'vitest';
import { endpointSpeed } from '../../../shared/callbacks/endpoint/speed.ts';
import type { AttemptResult } from '../../../shared/platform/egress/attempt-result.ts';
import { fakeClock } from '../../support/clock.ts';

function rig() {
  const clock = fakeClock(1_000_000);
  const speed = endpointSpeed({ clock, random: () => 0.5 });
  const took = (...durations: number[]) => {
    for (const durationMs of durations) speed.learn('bars', { ok: true, httpStatus: 200, durationMs });
  };
  return { clock, speed, took };
}

const timedOut: AttemptResult = { ok: false, error: 'timeout', durationMs: 15_000 };

test.each([
  { durations: [2_000], isSlow: false },
  { durations: [2_001], isSlow: true },
  { durations: [0, 4_001], isSlow: true },
  { durations: [0, 0, 0, 8_000], isSlow: false },
  { durations: [0, 0, 0, 0, 8_001], isSlow: true },
])('an endpoint is slow when its last four responses took more than 2 s on average: $durations', (one) => {
  const { speed, took } = rig();
  took(...one.durations);
  expect(speed.isSlow('bars')).toBe(one.isSlow);
});

test('one timeout makes an endpoint slow, and says nothing about other endpoints', () => {
  const { speed } = rig();
  speed.learn('bars', timedOut);
  expect([speed.isSlow('bars'), speed.isSlow('bakery')]).toEqual([true, false]);
});

test('a slow endpoint is tried again after 5 minutes, and is slow for 5 more if it still is', () => {
  const { clock, speed, took } = rig();
  for (const _round of [1, 2]) {
    took(2_001);
    clock.advance(299_999);
    expect(speed.isSlow('bars')).toBe(true);
    clock.advance(1);
    expect(speed.isSlow('bars')).toBe(false);
  }
});

test.each([
  { nextMs: 2_000, isSlow: false },
  { nextMs: 2_001, isSlow: true },
])(
  'a response of a slow endpoint in 2 s or less replaces what was known: $nextMs ms',
  ({ nextMs, isSlow }) => {
    const { clock, speed, took } = rig();
    took(8_000, 8_000);
    clock.advance(300_000);
    took(nextMs);
    expect(speed.isSlow('bars')).toBe(isSlow);
  },
);

test('the times of a thousand endpoints are kept', () => {
  const { speed } = rig();
  const learn = (n: number) => speed.learn(`p${n}`, timedOut);
  for (let n = 1; n <= 1_000; n++) learn(n);
  learn(1_000);
  expect([speed.isSlow('p1'), speed.isSlow('p1000')]).toEqual([true, true]);
  learn(1_001);
  expect([speed.isSlow('p1'), speed.isSlow('p1001')]).toEqual([false, true]);
});
