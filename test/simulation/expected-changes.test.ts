import { expect, test } from 'vitest';
import { wrongChanges } from './expected-changes.ts';

function element(itemId: string, name: string) {
  return { itemId, place: { itemId, placeInfo: { name, address: 'Pyatnitskaya 1' } } };
}

const before = new Map(
  [element('a', 'as ever'), element('b', 'one'), element('c', 'two')].map(({ itemId, place }) => [
    itemId,
    [JSON.stringify(place)],
  ]),
);
const rejected = { ...element('x', 'three'), rejected: { begins: '', place: {} } };
const list = {
  elements: [element('a', 'as ever'), element('b', 'renamed'), element('d', 'as ever'), rejected],
  dryRun: false,
  confirmed: false,
};
const changes = { added: ['d'], removed: ['c'], updated: [{ itemId: 'b', members: ['name'] }] };
const remarks = [{ code: 'PLACE_DUPLICATE', count: 2 }];
const session = { status: 'FINISHED', counts: {} as never, errors: [] };

test('the changes and remarks of a list that was processed once are as expected', () => {
  expect(wrongChanges(before, list, { ...session, changes, remarks })).toEqual([]);
});

test.each([
  ['no changes', { remarks }],
  ['less than the list changed, as a repeat would find', { remarks, changes: { updated: changes.updated } }],
  ['other members', { remarks, changes: { ...changes, updated: [{ itemId: 'b', members: ['address'] }] } }],
  ['no remarks', { remarks: [], changes }],
])('the simulation sees a session that names %s', (_, told) => {
  expect(wrongChanges(before, list, { ...session, ...told })).toHaveLength(1);
});

test('nothing is expected of changes where it is unknown what was stored', () => {
  const unknown = new Map([...before, ['e', ['', '{}']]]);
  expect(wrongChanges(unknown, list, { ...session, remarks })).toEqual([]);
});
