import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Plan } from './plan.ts';
import { plantedFaults } from './planted-faults.ts';
import { startWorker } from './pool.ts';

test.concurrent('the same seeds make the same runs in any process, and all of them balance', async () => {
  const workers = await Promise.all([startWorker(), startWorker()]);
  for (let seed = 1; seed <= 10; seed++) {
    const [one, other] = await Promise.all(workers.map(({ ask }) => ask({ seed, hours: 1 })));
    expect(one?.result.balanced, `seed ${seed}`).toBe(true);
    expect(other?.result.hash).toBe(one?.result.hash);
  }
  await Promise.all(workers.map(({ stop }) => stop()));
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
