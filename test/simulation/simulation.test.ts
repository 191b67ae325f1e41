import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Plan } from './plan.ts';
import { plantedFaults } from './planted-faults.ts';
import { startWorker } from './pool.ts';
import type { Result } from './run.ts';

async function resultsOfTenSeeds() {
  const worker = await startWorker();
  const results: Result[] = [];
  for (let seed = 1; seed <= 10; seed++) results.push((await worker.ask({ seed, hours: 1 })).result);
  await worker.stop();
  return results;
}

test.concurrent('the same seeds make the same runs in any process, and all of them balance', async () => {
  const [one, other] = await Promise.all([resultsOfTenSeeds(), resultsOfTenSeeds()]);
  expect(one.filter(({ balanced }) => !balanced).map(({ seed }) => seed)).toEqual([]);
  expect(new Set(one.map(({ hash }) => hash)).size).toBe(10);
  expect(other.map(({ hash }) => hash)).toEqual(one.map(({ hash }) => hash));
});

test.concurrent('of a run that fails a shorter schedule is found, which fails again in the same way', async () => {
  const worker = await startWorker('unregistered numbers are sent to');
  const plan = { seed: 1, hours: 0.5 };
  const whole = await worker.ask({ ...plan, shrinkRuns: 0 });
  const short = await worker.ask({ ...plan, shrinkRuns: 6 });
  const again = await worker.ask({ plan: short.plan as Plan });
  await worker.stop();
  expect(short.result.balanced).toBe(false);
  expect(again.result.hash).toBe(short.result.hash);
  expect(short.result.timeline.length).toBeLessThan(whole.result.timeline.length);
});

test.each(plantedFaults)('$file still has the line in which "$name"', ({ file, was, becomes }) => {
  const source = readFileSync(file, 'utf8');
  expect(source.split(was)).toHaveLength(2);
  expect(becomes).not.toBe(was);
});
