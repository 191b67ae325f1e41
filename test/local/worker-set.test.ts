import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FunctionWorker } from '../../local/functions/function-worker.ts';
import { workerSet } from '../../local/functions/worker-set.ts';

type Started = FunctionWorker & { load: () => void };

function workers() {
  const started: Started[] = [];
  const set = workerSet(10, () => {
    const { promise: loaded, resolve: load } = Promise.withResolvers<void>();
    const worker = { loaded, load, isAlive: () => true, end: async () => {} };
    started.push({ ...worker, invoke: () => Promise.reject(new Error('nothing is invoked here')) });
    return started.at(-1) as Started;
  });
  return { set, started };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('ten short invocations at once share one worker', async () => {
  const { set, started } = workers();
  const acquired = Array.from({ length: 10 }, () => set.acquire());
  started[0]?.load();
  for (const one of acquired) set.release(await one);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(started).toHaveLength(1);
});

test('an invocation that waits beside a loaded worker gets one of its own', async () => {
  const { set, started } = workers();
  const [first, second] = [set.acquire(), set.acquire()];
  await vi.advanceTimersByTimeAsync(1_000);
  expect(started).toHaveLength(1);
  started[0]?.load();
  await first;
  await vi.advanceTimersByTimeAsync(50);
  started[1]?.load();
  expect(await second).toBe(started[1]);
});
