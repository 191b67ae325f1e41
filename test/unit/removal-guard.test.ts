import { expect, test } from 'vitest';
import { type RemovalFacts, removalsHeld } from '../../shared/places/removal-guard.ts';

function heldOf(facts: Partial<RemovalFacts>): string | undefined {
  const plain = {
    received: 100,
    rejected: 0,
    confirmed: false,
    removalPercent: 50,
    storedBeforeHeld: undefined,
  };
  return removalsHeld({ ...plain, stored: 100, toRemove: 0, ...facts })?.because;
}

const held = 'not confirmed';

test.each([
  [{ stored: 40, toRemove: 20 }, undefined],
  [{ stored: 39, toRemove: 20 }, held],
  [{ stored: 20, toRemove: 19 }, undefined],
  [{ stored: 100, toRemove: 21, removalPercent: 20 }, held],
  [{ stored: 100, toRemove: 20, removalPercent: 20 }, undefined],
  [{ stored: 100, toRemove: 99, removalPercent: 100 }, undefined],
  [{ stored: 39, toRemove: 39, confirmed: true }, undefined],
])('rule 32: a list needs a confirmation to remove as in %o: %s', (facts, expected) => {
  expect(heldOf(facts)).toBe(expected);
});

test('rule 32: a list whose every element is rejected removes nothing, confirmed or not', () => {
  expect(heldOf({ stored: 3, toRemove: 1, received: 2, rejected: 2, confirmed: true })).toBe('all rejected');
  expect(heldOf({ stored: 3, toRemove: 1, received: 2, rejected: 1 })).toBe(undefined);
  expect(heldOf({ stored: 9, toRemove: 9, received: 0, confirmed: true })).toBe(undefined);
});

test.each([
  [{ stored: 4, toRemove: 4 }, undefined],
  [{ stored: 5, toRemove: 5 }, held],
  [{ stored: 5, toRemove: 4 }, undefined],
  [{ stored: 19, toRemove: 19, removalPercent: 100 }, held],
  [{ stored: 100, toRemove: 100, removalPercent: 100 }, held],
])(
  'rule 60: a list needs a confirmation to remove every point of five or more, whatever is agreed: %o: %s',
  (facts, expected) => {
    expect(heldOf(facts)).toBe(expected);
  },
);

test('rule 60: a list needs a confirmation to remove more points than were stored before the first list that held some, and says so', () => {
  const facts = { received: 99, rejected: 0, stored: 105, storedBeforeHeld: 5, toRemove: 6 };
  expect(removalsHeld({ ...facts, confirmed: false, removalPercent: 50 })?.sentence).toContain(
    '6 points that the list does not name were not removed, because they are at least as many as the 5 stored before',
  );
});

test.each([
  [{ stored: 80, storedBeforeHeld: 40, toRemove: 40 }, held],
  [{ stored: 5_023, storedBeforeHeld: 23, toRemove: 23 }, held],
  [{ stored: 1_010, storedBeforeHeld: 10, toRemove: 10 }, held],
  // The points that were stored before have become fewer meanwhile: the smaller number counts.
  [{ stored: 30, storedBeforeHeld: 100, toRemove: 20 }, held],
  [{ stored: 80, storedBeforeHeld: 40, toRemove: 20 }, undefined],
])(
  'rule 60: a list needs a confirmation as long as removals are held, by the points before the first list that held some: %o: %s',
  (facts, expected) => {
    expect(heldOf(facts)).toBe(expected);
  },
);
