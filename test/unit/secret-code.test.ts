import { expect, test } from 'vitest';
import { secretCodeOf } from '../../shared/check-ins/secret-code.ts';

function codes(from: number, count: number, key: string) {
  return Array.from({ length: count }, (_, n) => secretCodeOf(from + n, key));
}

test('any 10,000 numbers in a row have 10,000 different codes of 4 digits', () => {
  const dealt = codes(9_321, 10_000, 'a key');
  expect(new Set(dealt).size).toBe(10_000);
  expect(dealt.every((code) => /^\d{4}$/.test(code))).toBe(true);
});

test('a number keeps its code in every release, because the cash desk compares it', () => {
  expect([1, 17, 9_999, 10_000, 123_456].map((number) => secretCodeOf(number, 'a key'))).toEqual([
    '6868',
    '7396',
    '6546',
    '5979',
    '8660',
  ]);
});

test('another key deals in another order', () => {
  const same = codes(1, 1_000, 'a key').filter((code, n) => code === secretCodeOf(1 + n, 'another key'));
  expect(same.length).toBeLessThan(5);
});

test('the next code cannot be told from the last: steps between neighbours are all different', () => {
  const dealt = codes(1, 1_000, 'a key').map(Number);
  const steps = dealt.slice(1).map((code, n) => (code - (dealt[n] ?? 0) + 10_000) % 10_000);
  expect(new Set(steps).size).toBeGreaterThan(900);
});
