import { expect, test } from 'vitest';
import { inGroups, inGroupsWithin } from '../../shared/platform/runtime/in-groups.ts';

test('items go into groups of a size, the last one has the rest', () => {
  expect(inGroups([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(inGroups([1, 2, 3, 4], 2)).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect(inGroups([], 2)).toEqual([]);
});

test('a group takes items up to its bytes and its number of items, and an item that is too large alone', () => {
  const groups = (bytes: number, items?: number) =>
    inGroupsWithin({ bytes, ...(items && { items }) }, [3, 4, 3, 1, 12, 1], (item) => item);
  expect(groups(10)).toEqual([[3, 4, 3], [1], [12], [1]]);
  expect(groups(9)).toEqual([[3, 4], [3, 1], [12], [1]]);
  expect(groups(10, 2)).toEqual([[3, 4], [3, 1], [12], [1]]);
});
