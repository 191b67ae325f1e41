import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { readList } from '../../shared/places/list-message.ts';
import { planList } from '../../shared/places/list-plan.ts';
import { PlaceInfo } from '../../shared/places/place.ts';
import { runs, seed } from '../support/property-runs.ts';

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
    // If a release changed the hash, all stored points would count as updated.
    expect(one.put[0]?.hash).toBe('WOVOK6SK33KBcqaxAUOGF1');
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

/** Returns copies of the value that differ in one place: in a text or number, or by a whole object or array that is gone. */
function changesOf(value: unknown): unknown[] {
  if (typeof value === 'string') return ['other'];
  if (typeof value === 'number') return [2];
  if (Array.isArray(value)) return [[], ...value.flatMap(changesOf).flatMap((one) => (one ? [[one]] : []))];
  const changed = Object.entries(Object(value)).flatMap(([name, inner]) =>
    changesOf(inner).map((other) => ({ ...Object(value), [name]: other })),
  );
  return [...changed, undefined];
}

test('rule 10: the changes below have every member of the schema', () => {
  const { $defs } = z.toJSONSchema(PlaceInfo);
  const membersOf = Object.entries(Object($defs)).map(([name, one]) => [
    name,
    Object.keys(Object(one).properties),
  ]);
  expect(Object.fromEntries(membersOf)).toEqual({
    PlaceInfo: Object.keys(placeInfo),
    Phone: Object.keys(Object(placeInfo.phones[0])),
    GeoPoint: Object.keys(placeInfo.geoPoint),
  });
});

test.each(changesOf(placeInfo).slice(0, -1))(
  'rule 10: a change of one member alone is stored: %j',
  (changedInfo) => {
    const [before] = plan([{ itemId: 'a', placeInfo }]).put;
    const changed = { itemId: 'a', placeInfo: changedInfo };
    const { put, counts } = plan([changed], new Map([['a', String(before?.hash)]]));
    expect(put.map(({ json }) => JSON.parse(json))).toEqual([JSON.parse(JSON.stringify(changed))]);
    expect(counts).toMatchObject({ updated: 1, unchanged: 0 });
  },
);

const itemIds = Array.from({ length: 60 }, (_, n) => `p${n}`);
const sentList = fc.record({
  good: fc.subarray(itemIds),
  wrong: fc.subarray(itemIds, { maxLength: 3 }),
});

test('rule 32: whatever lists come without a confirmation, none removes 20 points that are more than half, all of five, or one that it names', () => {
  const property = fc.property(fc.array(sentList, { maxLength: 8 }), (lists) => {
    const stored = new Map<string, string>();
    let storedBeforeHeld: number | undefined;
    for (const { good, wrong } of lists) {
      const places = [...wrong.map((itemId) => ({ itemId })), ...good.map((itemId) => element(itemId))];
      const before = stored.size;
      const plan = planList(readList(JSON.stringify({ places })), stored, { ...guard, storedBeforeHeld });
      const remove = plan.counts.removalsHeld === undefined ? plan.remove : [];
      const judged = Math.min(before, storedBeforeHeld ?? before);
      expect(remove.length < 20 || remove.length * 2 <= judged).toBe(true);
      expect(judged < 5 || remove.length < judged).toBe(true);
      expect(remove.filter((itemId) => good.includes(itemId) || wrong.includes(itemId))).toEqual([]);
      if (plan.held === 'not confirmed') storedBeforeHeld ??= before;
      else if (plan.held === undefined) storedBeforeHeld = undefined;
      for (const itemId of remove) stored.delete(itemId);
      for (const { itemId, hash } of plan.put) stored.set(itemId, hash);
    }
  });
  fc.assert(property, { seed, numRuns: runs(300) });
});
