import { expect, test } from 'vitest';
import { placesMatching, usablePlace } from '../../../console/parts/places.ts';

const places = [
  { itemId: '000069302', placeInfo: { name: 'Ёлки', address: 'Тверской бульвар, дом 26' } },
  { itemId: '000058901', placeInfo: { address: 'проспект Мира, дом 91' } },
  { itemId: '000059011', placeInfo: { name: 'Тверь', address: 'Арбат, 1' } },
];

function found(search: string, most = 50): string[] {
  return placesMatching(places, search, most).map(({ itemId }) => itemId);
}

test('a service point is found by any words of its id, name and address', () => {
  expect(found('елки ТВЕРСКОЙ')).toEqual(['000069302']);
  expect(found('твер')).toEqual(['000069302', '000059011']);
  expect(found(' мира 589 ')).toEqual(['000058901']);
  expect(found('мира арбат')).toEqual([]);
  expect(found('')).toHaveLength(3);
});

test('no more are found than are shown', () => {
  expect(found('', 2)).toEqual(['000069302', '000058901']);
});

test('a key is for the service point that was chosen, its only one, or none that it may not use', () => {
  expect(usablePlace('b1')).toBe('b1');
  expect(usablePlace('b1', ['b2'])).toBe('b2');
  expect(usablePlace('b1', ['b2', 'b1'])).toBe('b1');
  expect(usablePlace('b1', ['b2', 'b3'])).toBe('');
});
