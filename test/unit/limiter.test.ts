import { expect, test } from 'vitest';
import { limiter } from '../../shared/platform/runtime/in-parallel.ts';

test('a task that fails lets the next one start', async () => {
  const limited = limiter(1);
  const failed = limited(() => Promise.reject(new Error('no')));
  const next = limited(async () => 'done');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('done');
});
