import { expect, test } from 'vitest';
import type { Plan } from './plan.ts';
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
test.concurrent('the same seeds make the same runs in any process and order, and all of them balance', async () => {
  const [all, two] = await Promise.all([hoursOf(1, 2, 3), hoursOf(3, 2)]);
  expect(all.filter(({ balanced }) => !balanced).map(({ seed }) => seed)).toEqual([]);
  const hashes = all.map(({ hash }) => hash);
  expect(new Set(hashes).size).toBe(3);
  expect(two.map(({ hash }) => hash)).toEqual([hashes[2], hashes[1]]);
});

test.concurrent('of a run that fails a shorter schedule is found, which fails again in the same way', async () => {
  const worker = await startWorker('unregistered numbers are sent to');
  const plan = { seed: 2, hours: 0.5 };
  const whole = await worker.ask({ ...plan, shrinkRuns: 0 });
  const short = await worker.ask({ ...plan, shrinkRuns: 6 });
  const again = await worker.ask({ plan: short.plan as Plan });
  await worker.stop();
  expect(short.result.balanced).toBe(false);
  expect(again.result.hash).toBe(short.result.hash);
  expect(short.result.timeline.length).toBeLessThan(whole.result.timeline.length);
});

test.each(plantedFaults)('$file still has the line in which "$name"', (fault) => {
  const { before, after } = bothSources(fault);
  expect(after).not.toBe(before);
});

const source = 'const a = 1;\nif (\n  one < two,\n) return three;\n';
const change = {
  name: 'a fault',
  file: 'shared/none.ts',
  was: 'if (one < two) return',
  becomes: 'if (one) return',
};

test('a planted fault finds its line however the line is formatted', () => {
  expect(changedSource(source, change)).toBe('const a = 1;\nif (one) return three;\n');
});

test.each([
  ['const a = 2;', 'shared/none.ts has no line with "const a = 2;"; the nearest is line 1: const a = 1;'],
  ['e', 'shared/none.ts has "e" more than once: name more of the line'],
  ['export function retryAfterMs(', 'shared/callbacks/schedule.ts has it: name that file'],
])('a planted fault that does not find its line says which to name: %s', (was, sentence) => {
  expect(() => changedSource(source, { ...change, was })).toThrow(sentence);
});
