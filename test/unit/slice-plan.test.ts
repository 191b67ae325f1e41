import { describe, expect, test } from 'vitest';
import { failSlice, planSlice } from '../../shared/places/slice-plan.ts';

function item(index: number, itemId: string, address = 'x') {
  return {
    index,
    place: { itemId, placeInfo: { address } },
  };
}

const none = new Map<string, string>();

describe('the plan of a slice', () => {
  test('puts what is new or has another content, and removes what the list does not name', () => {
    const first = planSlice([item(0, 'same'), item(1, 'changed')], none);
    const hashes = new Map(first.put.map(({ itemId, hash }) => [itemId, hash]));
    const plan = planSlice(
      [item(0, 'same'), item(1, 'changed', 'y'), item(2, 'new')],
      hashes.set('gone', 'h'),
    );
    expect(plan.put.map(({ itemId }) => itemId)).toEqual(['changed', 'new']);
    expect(plan.remove).toEqual(['gone']);
    expect(plan.counts).toEqual({ added: 1, updated: 1, unchanged: 1, rejected: 0, stored: 3, toRemove: 1 });
  });

  test('does not remove the row of a rejected item', () => {
    const plan = planSlice([{ index: 0, place: { itemId: 'a' } }], new Map([['a', 'h']]));
    expect(plan).toMatchObject({ put: [], remove: [], counts: { rejected: 1, toRemove: 0 } });
  });

  test('ignores members the contract does not know, and the order of those it knows', () => {
    const one = planSlice(
      [{ index: 0, place: { itemId: 'a', placeInfo: { address: 'x', name: 'n' }, more: 1 } }],
      none,
    );
    const two = planSlice(
      [{ index: 0, place: { placeInfo: { name: 'n', address: 'x' }, itemId: 'a' } }],
      none,
    );
    expect(one.put).toEqual(two.put);
    expect(one.put[0]?.json).toBe('{"itemId":"a","placeInfo":{"name":"n","address":"x"}}');
  });

  test('says all that is wrong with an item in one description', () => {
    const place = {
      itemId: 'a',
      placeInfo: { address: '', metroStations: 'Тверская', phones: [{ number: 7 }] },
    };
    expect(planSlice([{ index: 4, place }], none).rejected).toEqual([
      {
        index: 4,
        place,
        description:
          'places[4].placeInfo.address: required, it is empty; ' +
          'places[4].placeInfo.phones[0].number: must be a string; ' +
          'places[4].placeInfo.metroStations: must be an array',
      },
    ]);
  });
});

test('a slice given up makes an error of every item and keeps the reason of those that had one', () => {
  expect(failSlice([item(0, 'a'), { index: 1, place: {}, rejection: 'places[1]: too long' }])).toEqual({
    counts: { added: 0, updated: 0, unchanged: 0, rejected: 2, stored: 0, toRemove: 0 },
    rejected: [
      { index: 0, place: item(0, 'a').place, description: 'places[0]: could not be processed, send again' },
      { index: 1, place: {}, description: 'places[1]: too long' },
    ],
  });
});
