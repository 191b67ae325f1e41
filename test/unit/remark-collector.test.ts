import { describe, expect, test } from 'vitest';
import { moscowBars } from '../../ops/scenario/data/moscow-bars.ts';
import { readList } from '../../shared/places/list-message.ts';
import { planList } from '../../shared/places/list-plan.ts';

const guard = { confirmed: false, removalPercent: 50, storedBeforeHeld: undefined };

function remarksOn(places: readonly unknown[]) {
  return planList(readList(JSON.stringify({ places })), new Map(), guard).remarks;
}

/** The counts of the remarks by their code. */
function counted(places: readonly unknown[]) {
  return Object.fromEntries(remarksOn(places).map(({ code, count }) => [code, count]));
}

function numbered<Item>(length: number, itemAt: (n: number) => Item): Item[] {
  return Array.from({ length }, (_, n) => itemAt(n));
}

let made = 0;
/** A point like no other, with these members in its placeInfo. */
function point(info: object) {
  made += 1;
  return { itemId: `p${made}`, placeInfo: { address: `Arbat, ${made}`, ...info } };
}

function at(lat: number, lng: number) {
  return point({ geoPoint: { lat, lng } });
}

/** Points in the streets of Moscow, each 111 m north of the one before. */
function inMoscow(length: number) {
  return numbered(length, (n) => at(55.7 + n / 1_000, 37.6));
}

const bars = moscowBars();

// Each was looked at: two of one complex, four of one hotel, and two with the same telephone number.
test('rule 57: the 533 bars of Moscow have eight of one name, type and address, and nothing else that looks wrong', () => {
  const [remark, ...others] = remarksOn(bars);
  expect(others).toEqual([]);
  expect(remark).toMatchObject({ code: 'PLACE_DUPLICATE', count: 8 });
  const named = remark?.samples.map(({ itemId, description }) => [itemId, description.split(';')[0]]);
  expect(named).toEqual([
    ['00084255', 'places[69].placeInfo.address: places[68] has the same name, type and address'],
    ['000019757', 'places[107].placeInfo.address: places[106] has the same name, type and address'],
    ['000023137', 'places[303].placeInfo.address: places[286] has the same name, type and address'],
    ['000019758', 'places[108].placeInfo.address: places[106] has the same name, type and address'],
    ['000019759', 'places[109].placeInfo.address: places[106] has the same name, type and address'],
  ]);
});

describe('coordinates', () => {
  test.each([
    [0, 0, 1],
    [0.001, -0.001, 1],
    [0.0011, 0.001, 0],
    [55.7, 0, 1],
    [0, 37.6, 1],
    [55.7, 0.0001, 0],
  ])('rule 57: COORDINATES_ZERO of %d, %d', (lat, lng, count) => {
    expect(counted([at(lat, lng)])).toEqual(count ? { COORDINATES_ZERO: 1 } : {});
  });

  test('rule 57: a sample says where the point is instead, and what to do', () => {
    expect(remarksOn([...inMoscow(10), at(37.6, 55.7), at(0, 0)])).toMatchObject([
      {
        code: 'COORDINATES_ZERO',
        samples: [
          {
            description:
              'places[11].placeInfo.geoPoint: 0, 0 looks like coordinates that nobody set; send the right ones, or leave them out',
          },
        ],
      },
      {
        code: 'COORDINATES_SWAPPED',
        samples: [
          {
            description:
              'places[10].placeInfo.geoPoint: lat and lng look swapped: 37.6, 55.7 is 2425 km from the middle of the list, 55.7, 37.6 is 0 km; send them the other way round',
          },
        ],
      },
    ]);
  });

  test('rule 57: COORDINATES_SWAPPED needs ten points with coordinates, and more of them right than swapped', () => {
    expect(counted([...inMoscow(8), at(37.6, 55.7)])).toEqual({});
    expect(counted([...inMoscow(9), at(37.6, 55.7)])).toEqual({ COORDINATES_SWAPPED: 1 });
    expect(counted([...inMoscow(8), at(37.6, 55.7), ...numbered(50, () => at(0, 0))])).toMatchObject({
      COORDINATES_ZERO: 50,
    });
    expect(counted(numbered(20, (n) => at(37.6 + n / 1_000, 55.7)))).toEqual({});
  });

  // The distances from the median as they are, and swapped.
  test.each([
    ['86 km, 8 km', [10, 10.6], [10.55, 10.05], 0],
    ['257 km, 55 km', [10, 12], [11.65, 10.35], 0],
    ['265 km, 47 km', [10, 12], [11.7, 10.3], 1],
    ['6,400 km, a latitude of 131.9', [55.7, 37.6], [43.1, 131.9], 0],
  ])('rule 57: COORDINATES_SWAPPED of a point at %s', (_, median, [lat = 0, lng = 0], count) => {
    const [medianLat = 0, medianLng = 0] = median;
    const list = numbered(13, (n) => at(medianLat + (n - 6) / 10_000, medianLng));
    expect(counted([...list, at(lat, lng)])).toEqual(count ? { COORDINATES_SWAPPED: 1 } : {});
  });

  test('rule 57: COORDINATES_SHARED counts the points where five different addresses have the same coordinates', () => {
    const four = numbered(4, () => at(55.75, 37.61));
    expect(counted(four)).toEqual({});
    const sameAddress = point({ ...four[0]?.placeInfo, name: 'another name' });
    expect(counted([...four, sameAddress, at(55.750001, 37.61)])).toEqual({});
    const shared = [...four, sameAddress, at(55.75, 37.61)];
    const [remark] = remarksOn([...shared, ...numbered(5, () => at(55.76, 37.62))]);
    expect(remark).toMatchObject({ code: 'COORDINATES_SHARED', count: 11 });
    const { samples = [] } = remark ?? {};
    expect(samples).toHaveLength(10);
    expect([samples[0]?.itemId, samples[1]?.description]).toEqual([
      four[0]?.itemId,
      'places[6].placeInfo.geoPoint: 4 other points of the list are at 55.76, 37.62 too, with other addresses; send where each of them is',
    ]);
  });
});

describe('duplicates', () => {
  const one = { name: 'Bar', type: 'bar', address: 'ул. Тверская, д. 12, стр. 1' };
  const counts = (...infos: object[]) => counted(infos.map((info) => point(info)))['PLACE_DUPLICATE'] ?? 0;

  test.each([
    ['УЛ ТВЕРСКАЯ Д.12 СТР.1', 2],
    ['ул. Твёрская, д. 12, стр. 1', 2],
    ['ул. Тверская, д. 1, стр. 21', 0],
    ['ул. Тверская, д. 12', 0],
  ])('rule 57: an address is compared without case, accents and punctuation: %s', (address, count) => {
    expect(counts(one, { ...one, address })).toBe(count);
  });

  test('rule 57: numbers that stand apart are not one number', () => {
    expect(counts({ ...one, address: 'Arbat 1, 12' }, { ...one, address: 'Arbat 11, 2' })).toBe(0);
    expect(counts({ ...one, address: 'Arbat 1, 12' }, { ...one, address: 'Arbat 1-12' })).toBe(2);
  });

  test('rule 57: another name or type is another point, and null is as if it were absent', () => {
    expect(counts(one, { ...one, name: 'Bar 2' }, { ...one, type: 'cafe' })).toBe(0);
    expect(counts({ ...one, type: null }, { ...one, type: undefined })).toBe(2);
  });

  // At this latitude 0.001 degrees of longitude are 62.7 m.
  test.each([
    [0.00067, 0, 2],
    [0.00068, 0, 0],
    [0, 0.00119, 2],
    [0, 0.0012, 0],
  ])('rule 57: points %d, %d degrees from each other', (lat, lng, count) => {
    const geoPoint = { lat: 55.7, lng: 37.6 };
    const other = { ...one, geoPoint: { lat: 55.7 + lat, lng: 37.6 + lng } };
    expect(counts({ ...one, geoPoint }, other)).toBe(count);
    expect(counts({ ...one, geoPoint }, other, one)).toBe(3);
  });
});

test.each([
  ['Мост', 1],
  ['Мост 1', 0],
  ['🏠🏠🏠🏠🏠', 1],
  ['東京都港区', 0],
  ['- - - - - 1', 1],
])('rule 57: ADDRESS_SHORT of %s', (address, count) => {
  expect(counted([point({ address })])).toEqual(count ? { ADDRESS_SHORT: 1 } : {});
});

test.each([
  ['a?b', 1],
  ['.', 1],
  ['..', 1],
  [' a', 1],
  ['a\u0085b', 1],
  ['a/b c%20', 0],
])('rule 57: ITEM_ID_NOT_IN_PATH of %j', (itemId, count) => {
  expect(counted([{ ...point({}), itemId }])).toEqual(count ? { ITEM_ID_NOT_IN_PATH: 1 } : {});
});

test('rule 57: a rejected element gets its error, and no remark on what it would have been', () => {
  const rejected = { itemId: '?', placeInfo: { address: 'x', geoPoint: { lat: 0, lng: 200 } } };
  expect(counted([rejected])).toEqual({});
});
