import { expect, test, vi } from 'vitest';
import { aboutMs, pauseBeforeMs } from '../../shared/platform/runtime/backoff.ts';

test('pauses are by chance: up to twice as long before each repeat and a second at most, or a quarter around a time', () => {
  const random = vi.spyOn(Math, 'random');
  const pauses = (chance: number) => {
    random.mockReturnValue(chance);
    return [...[1, 2, 3, 4, 5, 6, 7].map(pauseBeforeMs), aboutMs(200)];
  };
  const [least, middle, most] = [0, 0.5, 1].map(pauses);
  random.mockRestore();
  expect(least).toEqual([0, 0, 0, 0, 0, 0, 0, 150]);
  expect(middle).toEqual([25, 50, 100, 200, 400, 500, 500, 200]);
  expect(most).toEqual([50, 100, 200, 400, 800, 1_000, 1_000, 250]);
});
