import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Plan, plans } from './plan.ts';
import { plantedFaults } from './planted-faults.ts';
import { startWorker } from './pool.ts';
import type { Result } from './run.ts';
import { bothSources, changedSource } from './seams/change-line.ts';

async function hoursOf(...seeds: number[]) {
  const worker = await startWorker();
  const results: Result[] = [];
  for (const seed of seeds) results.push((await worker.ask({ seed, hours: 1 })).result);
  await worker.stop();
  return results;
}

// CI has simulated forty runs of two hours before, so these are few.
test.concurrent('the same seed makes the same run in any process and order, and all of them balance', async () => {
  const [all, again] = await Promise.all([hoursOf(1, 2), hoursOf(2)]);
  expect(all.filter(({ balanced }) => !balanced).map(({ seed }) => seed)).toEqual([]);
  expect(all[0]?.hash).not.toBe(all[1]?.hash);
  expect(again[0]?.hash).toBe(all[1]?.hash);
});

test.concurrent('of a run that fails a shorter schedule is found, which fails again in the same way', async () => {
  const worker = await startWorker('unregistered numbers are sent to');
  const short = await worker.ask({ seed: 2, hours: 0.5, shrinkRuns: 5 });
  const again = await worker.ask({ plan: short.plan as Plan });
  await worker.stop();
  expect(short.result.balanced).toBe(false);
  expect(again.result.hash).toBe(short.result.hash);
  const [whole] = fc.sample(plans(2, 0.5), { seed: 2, numRuns: 1 });
  expect(short.plan?.actions.length).toBeLessThan(whole?.actions.length ?? 0);
});

test.each(plantedFaults)('$file still has the line in which "$name"', (fault) => {
  const { before, after } = bothSources(fault);
  expect(after).not.toBe(before);
});

test('a planted fault finds its line however the line is formatted, and only if the file has it once', () => {
  const source = 'const a = 1;\nif (\n  one < two,\n) return three;\n';
  const planted = (was: string) =>
    changedSource(source, { name: 'a fault', file: 'shared/none.ts', was, becomes: 'if (one) return' });
  expect(planted('if (one < two) return')).toBe('const a = 1;\nif (one) return three;\n');
  expect(() => planted('const a = 2;')).toThrow('shared/none.ts has no line with "const a = 2;"');
  expect(() => planted('e')).toThrow('shared/none.ts has "e" more than once: name more of the line');
});
