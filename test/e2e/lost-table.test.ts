import { expect, test } from 'vitest';
import { rehearseLostTable } from '../rehearsal/lost-table.ts';

test('a lost table: the restored one is served itself, without what must not come back, and new messages arrive', async () => {
  const { rows, deleted, whileLost, seenBefore, seenAfter } = await rehearseLostTable();
  expect(rows).toBeGreaterThan(20);
  expect(deleted).toBeGreaterThan(0);
  expect(whileLost).toBe(500);
  expect(seenBefore).toEqual({
    places: ['bar-1'],
    activeCheckIns: ['9643907500000038'],
    earlierMessage: true,
    newMessage: true,
  });
  expect(seenAfter).toEqual({ ...seenBefore, activeCheckIns: [] });
});
