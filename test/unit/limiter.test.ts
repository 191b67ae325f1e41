import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { limiter } from '../../shared/platform/runtime/in-parallel.ts';

test('no more tasks than the limit are under way, and those that may start do so together', async () => {
  const happened: string[] = [];
  const limited = limiter(2);
  const task = (name: string) => async () => {
    happened.push(`${name} starts`);
    await setImmediate();
    happened.push(`${name} ends`);
  };
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => limited(task(name))));
  expect(happened).toEqual([
    ...['a starts', 'b starts', 'a ends', 'b ends'],
    ...['c starts', 'd starts', 'c ends', 'd ends'],
  ]);
});

test('a task that fails lets the next one start', async () => {
  const limited = limiter(1);
  const failed = limited(() => Promise.reject(new Error('no')));
  const next = limited(async () => 'done');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('done');
});
