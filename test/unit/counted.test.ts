import { expect, test } from 'vitest';
import { counted } from '../../ops/cli/formats.ts';

test.each([
  [0, '0 rows'],
  [1, '1 row'],
  [2, '2 rows'],
  [12_345, '12,345 rows'],
])('%d is written as %s', (count, text) => {
  expect(counted(count, 'row')).toBe(text);
});
