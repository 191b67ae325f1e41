import { describe, expect, test } from 'vitest';
import { readList } from '../../shared/places/list-message.ts';
import { planList } from '../../shared/places/list-plan.ts';

const guard = { confirmed: false, removalPercent: 50, storedBeforeHeld: undefined };
const none = new Map<string, string>();

function element(itemId: string, address = 'x') {
  return { itemId, placeInfo: { address } };
}

function plan(places: unknown, stored: ReadonlyMap<string, string> = none) {
  return planList(readList(JSON.stringify({ places })), stored, guard);
}

describe('the plan of a list', () => {
  test('rule 60: a list whose removals are held adds and updates nothing once the offer is full', () => {
    const stored = new Map(Array.from({ length: 40 }, (_, n) => [`old-${n}`, 'hash']));
    const geoPoint = { lat: 55.75, lng: 37.6 };
    const located = { itemId: 'a', placeInfo: { address: 'x', geoPoint } };
    const places = [located, { itemId: 'b' }, element('old-0'), element('c')];
    // A number that JavaScript would write differently is shown as it was sent.
    const sent = () => readList(JSON.stringify({ places }).replace('37.6', '37.60'));
    const held = planList(sent(), stored, { ...guard, isFull: true });
    const of = (index: number) => ({
      place: places[index],
      description: `places[${index}]: not stored, because the offer has too many points that its lists do not name; to remove these, send the list again with "confirmRemovals": true`,
    });
    expect(held).toMatchObject({ put: [], toShow: { added: [], updated: [] } });
    expect(held.counts).toMatchObject({ added: 0, updated: 0, rejected: 4, removalsHeld: 39 });
    expect(JSON.stringify(held.rejected[0])).toContain('"lng":37.60');
    expect(held.rejected).toEqual([
      expect.objectContaining({ description: of(0).description }),
      { place: { itemId: 'b' }, description: 'places[1].placeInfo: required' },
      of(2),
      of(3),
    ]);
    const confirmed = planList(sent(), stored, { ...guard, isFull: true, confirmed: true });
    expect(confirmed.counts).toMatchObject({ added: 2, updated: 1, rejected: 1, removed: 39 });
  });

  test('rule 6: ignores members the contract does not know, and the order of those it knows', () => {
    const one = plan([{ itemId: 'a', placeInfo: { address: 'x', name: 'n' }, more: 'm'.repeat(70_000) }]);
    const two = plan([{ placeInfo: { name: 'n', address: 'x' }, itemId: 'a' }]);
    expect(one.put).toEqual(two.put);
    expect(one.put[0]?.json).toBe('{"itemId":"a","placeInfo":{"name":"n","address":"x"}}');
  });

  test('rejects a repeated itemId, also of an element that was rejected', () => {
    const { put, rejected } = plan([element('a', ''), element('a'), null, { itemId: '' }, { itemId: '' }]);
    expect(put).toEqual([]);
    expect(rejected.map(({ description }) => description)).toEqual([
      'places[0].placeInfo.address: must not be empty',
      'places[1].itemId: already sent at places[0]; the first one counts',
      'places[2]: must be an object',
      'places[3].itemId: must not be empty; places[3].placeInfo: required',
      'places[4].itemId: must not be empty; places[4].placeInfo: required',
    ]);
  });

  test.each([
    ['a', { itemId: 'a' }],
    [false, {}],
  ])('shows a rejected element %j that is too long without its content', (itemId, shown) => {
    // The element has 64,000 bytes of JSON, since each Cyrillic letter takes two; later it gets one more.
    const empty = Buffer.byteLength(JSON.stringify({ itemId, x: '' }));
    const x = `${'я'.repeat(31_000)}${'y'.repeat(2_000 - empty)}`;
    const filled = { itemId, x };
    expect(plan([filled]).rejected[0]?.place).toEqual(filled);
    const { place, description } = plan([{ itemId, x: `${x}y` }]).rejected[0] ?? {};
    expect(place).toEqual(shown);
    expect(description).toMatch(/; longer than 64000 bytes or nested too deeply, shown without its content$/);
  });

  test('rejects alone an element that our own code cannot process, and protects its point', () => {
    // No element from a partner is known to cause such an error.
    const faulty = Object.defineProperty({ itemId: 'a' }, 'placeInfo', {
      get: () => {
        throw new RangeError('a defect');
      },
    });
    const list = { ...readList('{"places":[]}'), places: [element('b'), faulty] };
    const { put, remove, rejected, unexpected } = planList(list, new Map([['a', 'h']]), guard);
    expect(put.map(({ itemId }) => itemId)).toEqual(['b']);
    expect({ remove, unexpected }).toEqual({ remove: [], unexpected: [new RangeError('a defect')] });
    expect(rejected).toEqual([
      { place: { itemId: 'a' }, description: 'places[1]: could not be processed, send it again' },
    ]);
  });
});

const placeInfo = {
  name: 'name',
  address: 'address',
  phones: [{ type: 'type', number: 'number' }],
  schedule: 'schedule',
  metroStations: ['station'],
  type: 'type',
  geoPoint: { lat: 1, lng: 1 },
};

test.each([
  { name: 'other' },
  { address: 'other' },
  { phones: [{ type: 'other', number: 'number' }] },
  { phones: [{ type: 'type', number: 'other' }] },
  { schedule: 'other' },
  { metroStations: ['other'] },
  { metroStations: [] },
  { type: 'other' },
  { geoPoint: { lat: 2, lng: 1 } },
  { geoPoint: { lat: 1, lng: 2 } },
  { geoPoint: undefined },
])('rule 10: a change of one member alone is stored: %j', (change) => {
  const [before] = plan([{ itemId: 'a', placeInfo }]).put;
  const changed = { itemId: 'a', placeInfo: { ...placeInfo, ...change } };
  const { put, counts } = plan([changed], new Map([['a', String(before?.hash)]]));
  expect(put.map(({ json }) => JSON.parse(json))).toEqual([JSON.parse(JSON.stringify(changed))]);
  expect(counts).toMatchObject({ updated: 1, unchanged: 0 });
});
