import { expect, test } from 'vitest';
import { pointNames } from '../../../console/pages/service-points/points.ts';

function place(itemId: string, name: string) {
  return { itemId, placeInfo: { name, address: 'Арбат, 1' } };
}

test('a point has its name in the file, of equal elements the first one, and otherwise the stored name', () => {
  const stored = [place('1', 'Старое'), place('2', 'Прежнее')];
  const places = [place('1', 'Новое'), place('1', 'Повтор'), null, 'x', { itemId: 2 }, { itemId: '2' }];
  expect([...pointNames(stored, { places })]).toEqual([
    ['1', 'Новое · Арбат, 1 · 1'],
    ['2', 'Прежнее · Арбат, 1 · 2'],
  ]);
});
