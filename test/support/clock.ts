import type { Clock } from '../../shared/platform/runtime/clock.ts';

export type FakeClock = Clock & { set: (atMs: number) => void; advance: (byMs: number) => void };

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

export const noon = Date.UTC(2026, 4, 20, 12, 0, 0, 0);

export function fakeClock(startMs = noon): FakeClock {
  let now = startMs;
  return {
    now: () => now,
    set: (atMs) => {
      now = atMs;
    },
    advance: (byMs) => {
      now += byMs;
    },
  };
}
