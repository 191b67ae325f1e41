import { expect, test } from 'vitest';
import { isAmong, packPlaces } from '../../shared/partners/allowed-places.ts';

test('rule 31: each of the service points of a key is among them, and no other', () => {
  const placeIds = ['a', 'b', 'c'];
  const packed = packPlaces(placeIds);
  expect([...placeIds, 'd'].map((placeId) => isAmong(packed, placeId))).toEqual([true, true, true, false]);
});
