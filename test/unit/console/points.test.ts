import { expect, test } from 'vitest';
import { pointFinder } from '../../../console/pages/service-points/points.ts';

function place(itemId: string, address: string) {
  return { itemId, placeInfo: { name: 'Bar', address } };
}

test('a point of a preview is the first with its itemId, as the service takes it, and not the stored one', () => {
  const places = [place('bar-1', 'Арбат, 1'), null, place('bar-1', 'Арбат, 1а')];
  const find = pointFinder([place('bar-1', 'Арбат, 2'), place('bar-2', 'Тверская, 7')], {
    places,
    rowOf: (index) => `row ${index}`,
  });
  expect(find('bar-1')?.name).toContain('Арбат, 1 ');
  expect(find('bar-2')?.name).toContain('Тверская, 7');
  expect(find('bar-3')).toBeUndefined();
});
