import { expect, test } from 'vitest';
import {
  changesOf,
  pointFinder,
  remarkedIn,
  type Session,
} from '../../../console/pages/service-points/points.ts';

function place(itemId: string, name: string, geoPoint?: object) {
  return { itemId, placeInfo: { name, address: 'Арбат, 1', geoPoint } } as never;
}

test('a point is what the file says, of equal elements the first one, and otherwise what is stored', () => {
  const stored = [place('1', 'Старое', { lat: 55, lng: 37 }), place('2', 'Прежнее', { lat: 56, lng: 38 })];
  const places = [
    place('1', 'Новое', { lat: 57, lng: '39' }),
    place('1', 'Повтор'),
    null,
    'x',
    { itemId: 2 },
  ];
  const find = pointFinder(stored, { places: [...places, { itemId: '2' }] });
  expect(['1', '2', '3'].map(find)).toEqual([
    { itemId: '1', name: 'Новое · Арбат, 1 · 1', position: undefined },
    { itemId: '2', name: 'Прежнее · Арбат, 1 · 2', position: [56, 38] },
    { itemId: '3', name: '3' },
  ]);
});

test('a map marks what a list changes, and what looks wrong though it stays as it is', () => {
  const session = (removalsHeld?: number) =>
    ({
      counts: { removalsHeld },
      changes: { added: ['new'], updated: [{ itemId: 'moved', members: ['geoPoint'] }], removed: ['old'] },
      remarks: [
        { code: 'FAR_FROM_OTHERS', samples: [{ itemId: 'moved' }, { itemId: 'far' }, { description: 'x' }] },
        { code: 'SAME_POSITION', samples: [{ itemId: 'far' }] },
      ],
    }) as unknown as Session;
  const find = (itemId: string) => ({ itemId, name: itemId });
  const words = (held?: number) =>
    changesOf(session(held), find).map(({ itemId, mark }) => [itemId, mark.word]);
  expect(words()).toEqual([
    ['old', 'removed'],
    ['moved', 'updated'],
    ['new', 'added'],
  ]);
  expect(words(1)[0]).toEqual(['old', 'not in the list']);
  expect(remarkedIn(session(), find)).toMatchObject([{ itemId: 'far', mark: { word: 'looks wrong' } }]);
});
