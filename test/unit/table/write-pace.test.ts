import { expect, test } from 'vitest';
import { gapAfter } from '../../../shared/platform/table/batches.ts';

function after(gapMs: number, untaken: number, calls = 1): number {
  return Array.from({ length: calls }).reduce<number>((gap) => gapAfter(gap, { untaken }), gapMs);
}

test('batches follow each other at once while the table takes them', () => {
  expect(after(0, 0, 100)).toBe(0);
});

test('each refusal makes the gap half as long again, a second at most', () => {
  expect([1, 2, 3, 4].map((calls) => after(0, 1, calls))).toEqual([25, 37.5, 56.25, 84.375]);
  expect(after(0, 25, 50)).toBe(1_000);
});

test('each batch that is taken whole shortens it, until there is none', () => {
  expect(after(100, 0)).toBe(97);
  expect(after(1_000, 0, 100)).toBeCloseTo(47.6, 1);
  expect([after(1_000, 0, 204), after(1_000, 0, 205)]).toEqual([expect.closeTo(2, 1), 0]);
});
