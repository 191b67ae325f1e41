import { expect, test } from 'vitest';
import { plantedFaults } from './planted-faults.ts';
import { startWorker } from './pool.ts';
import type { Result } from './run.ts';
import { bothSources } from './seams/change-line.ts';

async function hoursOf(...seeds: number[]) {
  const worker = await startWorker(undefined, 1);
  const results: Result[] = [];
  for (const seed of seeds) results.push((await worker.ask({ seed })).result);
  await worker.stop();
  return results;
}

// CI simulates 16 runs of two hours beside the tests, so these are few.
test.concurrent('the same seed makes the same run in any process and order, and all of them balance', async () => {
  const [all, again] = await Promise.all([hoursOf(1, 2), hoursOf(2)]);
  expect(all.filter(({ balanced }) => !balanced).map(({ seed }) => seed)).toEqual([]);
  expect(all[0]?.hash).not.toBe(all[1]?.hash);
  expect(again[0]?.hash).toBe(all[1]?.hash);
});

test.concurrent('of a run that fails a shorter schedule is found, with its timeline', async () => {
  const worker = await startWorker('unregistered numbers are sent to', 0.5);
  const whole = await worker.ask({ seed: 2 });
  const short = await worker.ask({ seed: 2, shrinkRuns: 5 });
  await worker.stop();
  expect([whole.result.balanced, short.result.balanced]).toEqual([false, false]);
  expect(short.result.hash).not.toBe(whole.result.hash);
  expect(short.result.timeline.length).toBeGreaterThan(0);
});

test.each(plantedFaults)('$file still has the line in which "$name"', (fault) => {
  const { before, after } = bothSources(fault);
  expect(after).not.toBe(before);
});
