import { expect, test } from 'vitest';
import { BoundedMap } from '../../shared/platform/runtime/bounded-map.ts';

test('what an instance remembers takes no more memory than 1,000 entries, and a known one is replaced', () => {
  const map = new BoundedMap<number, string>();
  for (let n = 0; n < 1_000; n++) map.set(n, 'before');
  map.set(0, 'after');
  expect([map.size, map.get(0), map.get(999)]).toEqual([1_000, 'after', 'before']);
  map.set(1_000, 'new');
  expect([map.size, map.has(0), map.get(1), map.get(1_000)]).toEqual([1_000, false, 'before', 'new']);
});
