import { expect, test } from 'vitest';
import { Arrivals } from '../../../console/pages/check-ins/arrivals.ts';
import { placesMatching } from '../../../console/parts/places.ts';

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

test('a till says when a check-in came: exactly, before its first look, or while it could not look', () => {
  const arrivals = new Arrivals();
  const timeOf = (ms: number) => `${ms / 1_000} s`;
  const [first, second, third] = [{ checkinNumber: 1 }, { checkinNumber: 2 }, { checkinNumber: 3 }];
  arrivals.read([], 0);
  arrivals.read([first], 4_000);
  arrivals.read([first, second], 6_000);
  arrivals.read([first, second], 6_000);
  arrivals.read([second, third], 60_000);
  expect([first, second, third].map((checkIn) => arrivals.of(checkIn, timeOf))).toEqual([
    'before 4 s',
    '6 s',
    'between 6 s and 60 s',
  ]);
  expect(arrivals.of({ checkinNumber: 4 }, timeOf)).toBe('just now');
});
