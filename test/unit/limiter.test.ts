import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { limiter } from '../../shared/platform/runtime/in-parallel.ts';

test('a task that fails lets the next one start', async () => {
  const limited = limiter(1);
  const failed = limited(() => Promise.reject(new Error('no')));
  const next = limited(async () => 'done');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('done');
});

test('as many tasks run as may, and never more, also when all have ended in between', async () => {
  const limited = limiter(3);
  let running = 0;
  const task = async () => {
    running += 1;
    const seen = running;
    await setImmediate();
    running -= 1;
    return seen;
  };
  for (let round = 0; round < 3; round++) {
    const seen = await Promise.all(Array.from({ length: 10 }, () => limited(task)));
    expect(Math.max(...seen)).toBe(3);
  }
});
