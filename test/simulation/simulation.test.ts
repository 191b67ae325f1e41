import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runNode } from '../support/run-node.ts';
import type { Plan } from './plan.ts';
import { plantedFaults } from './planted-faults.ts';
import { startWorker } from './pool.ts';

test('the same seeds make the same runs, and all of them balance', async () => {
  const args = ['test/simulation/simulate.ts', '--seed', '1', '--runs', '10', '--hours', '1', '--json'];
  const first = await runNode(args);
  const second = await runNode(args);
  const sorted = (out: string) => out.trim().split('\n').sort();
  expect(first.code).toBe(0);
  expect(sorted(first.out)).toHaveLength(10);
  expect(sorted(second.out)).toEqual(sorted(first.out));
});

test('of a run that fails a shorter schedule is found, which fails again in the same way', async () => {
  const worker = await startWorker('unregistered numbers are sent to');
  const whole = await worker.ask({ seed: 1, hours: 1, shrinkRuns: 0 });
  const short = await worker.ask({ seed: 1, hours: 1, shrinkRuns: 12 });
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
