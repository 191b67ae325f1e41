import { setImmediate } from 'node:timers/promises';
import type { FakeClock } from './clock.ts';

/** Wakes sleepers in the order of their times, each when earlier ones can do no more, and moves the clock. */
export function virtualSleep(clock: FakeClock): (atMs: number) => Promise<void> {
  const sleepers: { atMs: number; wake: () => void }[] = [];
  let isRunning = false;
  const run = async (): Promise<void> => {
    for (;;) {
      await setImmediate();
      const [next] = sleepers.sort((a, b) => a.atMs - b.atMs);
      if (!next) break;
      sleepers.shift();
      clock.set(Math.max(clock.now(), next.atMs));
      next.wake();
    }
    isRunning = false;
  };
  return (atMs) =>
    new Promise((wake) => {
      sleepers.push({ atMs, wake });
      if (isRunning) return;
      isRunning = true;
      void run();
    });
}
