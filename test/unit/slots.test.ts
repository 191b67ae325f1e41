import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { slots } from '../../shared/platform/runtime/in-parallel.ts';

test('no more tasks than slots are under way, and those whose turn comes start together', async () => {
  const happened: string[] = [];
  const inSlot = slots(2);
  const task = (name: string) => async () => {
    happened.push(`${name} starts`);
    await setImmediate();
    happened.push(`${name} ends`);
  };
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => inSlot(task(name))));
  expect(happened).toEqual([
    ...['a starts', 'b starts', 'a ends', 'b ends'],
    ...['c starts', 'd starts', 'c ends', 'd ends'],
  ]);
});

test('a task that fails frees its slot', async () => {
  const inSlot = slots(1);
  const failed = inSlot(() => Promise.reject(new Error('no')));
  const next = inSlot(async () => 'done');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('done');
});
