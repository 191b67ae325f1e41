import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { unpackSlice } from '../../shared/places/slice-message.ts';
import { boundariesOf, cutIntoSlices as cut, type Slice } from '../../shared/places/slices.ts';

function place(itemId: unknown) {
  return { itemId, placeInfo: { address: 'x' } };
}

/** Without the JSON, which must say the same as the rest of the slice. */
function cutIntoSlices(...given: Parameters<typeof cut>): Omit<Slice, 'json'>[] {
  return cut(...given).map(({ json, ...slice }) => {
    const { owns, items } = slice;
    expect(JSON.parse(json.toString())).toEqual({ ...(owns ? { owns } : {}), items });
    return slice;
  });
}

function ids(slice: { items: { place: unknown }[] } | undefined) {
  return slice?.items.map((item) => (item.place as { itemId: string }).itemId);
}

const two = { places: 2, bytes: 1_000_000 };

describe('a list cut into slices', () => {
  test('gives every slice a range of its own, and all of them the whole key range', () => {
    const slices = cutIntoSlices(['c', 'a', 'e', 'b', 'd'].map(place), [], two);
    expect(slices.map(({ slice, owns }) => ({ slice, owns }))).toEqual([
      { slice: 0, owns: { upTo: 'b' } },
      { slice: 1, owns: { after: 'b', upTo: 'd' } },
      { slice: 2, owns: { after: 'd' } },
    ]);
    expect(slices.map(ids)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  test('that fits into one slice owns everything', () => {
    expect(cutIntoSlices([place('a')])).toMatchObject([{ slice: 0, owns: {} }]);
  });

  test('is sorted by UTF-8 bytes, where an emoji comes after every character of the basic plane', () => {
    const sorted = cutIntoSlices(['\u{1F600}', '\uFFFD', 'я', 'z'].map(place));
    expect(ids(sorted[0])).toEqual(['z', 'я', '\uFFFD', '\u{1F600}']);
  });

  test('keeps the position of every element in the list', () => {
    const [slice] = cutIntoSlices(['b', 'a'].map(place));
    expect(slice?.items).toEqual([
      { index: 1, place: place('a') },
      { index: 0, place: place('b') },
    ]);
  });

  test('carries elements without a usable itemId, and repeats, in slices that own nothing', () => {
    const slices = cutIntoSlices([place('a'), null, place('a'), place(''), place('a')], [], two);
    expect(slices).toEqual([
      { slice: 0, owns: {}, items: [{ index: 0, place: place('a') }] },
      {
        slice: 1,
        items: [
          { index: 1, place: null },
          {
            index: 2,
            place: place('a'),
            rejection: 'places[2].itemId: already sent at places[0]; the first one counts',
          },
        ],
      },
      {
        slice: 2,
        items: [
          { index: 3, place: place('') },
          {
            index: 4,
            place: place('a'),
            rejection: 'places[4].itemId: already sent at places[0]; the first one counts',
          },
        ],
      },
    ]);
  });

  test('of nothing usable still owns the whole range once, since absent points are removed', () => {
    expect(cutIntoSlices([null])).toEqual([
      { slice: 0, owns: {}, items: [] },
      { slice: 1, items: [{ index: 0, place: null }] },
    ]);
  });

  test('that is short after a long one is cut where the long one was, so that no slice has all the removals', () => {
    const boundaries = Array.from({ length: 7 }, (_, n) => `p${n}`);
    const slices = cutIntoSlices([place('p3')], boundaries);
    expect(slices).toEqual([
      { slice: 0, owns: { upTo: 'p1' }, items: [] },
      { slice: 1, owns: { after: 'p1', upTo: 'p3' }, items: [{ index: 0, place: place('p3') }] },
      { slice: 2, owns: { after: 'p3', upTo: 'p5' }, items: [] },
      { slice: 3, owns: { after: 'p5' }, items: [] },
    ]);
    expect(boundariesOf(slices)).toEqual(['p1', 'p3', 'p5']);
  });

  test('sent again is cut where it was cut before', () => {
    const list = Array.from({ length: 9 }, (_, n) => place(`p${n}`));
    const first = cutIntoSlices(list, [], two);
    expect(boundariesOf(first)).toEqual(['p1', 'p3', 'p5', 'p7']);
    expect(cutIntoSlices(list, boundariesOf(first), two)).toEqual(first);
  });

  test('shows an element that is too long or nested too deeply without its content', () => {
    const deep = JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`);
    const long = 'я'.repeat(32_000);
    const [slice] = cutIntoSlices([{ ...place('a'), deep }, { ...place('b'), long }, place('c')]);
    const why = 'longer than 64000 bytes or nested too deeply, shown without its content';
    expect(slice?.items).toEqual([
      { index: 0, place: { itemId: 'a' }, rejection: `places[0]: ${why}` },
      { index: 1, place: { itemId: 'b' }, rejection: `places[1]: ${why}` },
      { index: 2, place: place('c') },
    ]);
  });

  test('cuts by bytes as well, so that a slice always fits into a message', () => {
    const slices = cutIntoSlices(['a', 'b', 'c'].map(place), [], { places: 500, bytes: 90 });
    expect(slices.map(ids)).toEqual([['a', 'b'], ['c']]);
  });
});

test('the content of a slice is unpacked only if each of its items has a position', async () => {
  const session = { partnerId: 'bars', offerId: 'bars-of-moscow', sessionId: 's', dryRun: false, slice: 0 };
  const unpack = (items: unknown) =>
    unpackSlice({ ...session, content: gzipSync(JSON.stringify({ items })).toString('base64') });
  expect((await unpack([{ index: 3, place: place('a') }])).items).toMatchObject([
    { index: 3, place: place('a') },
  ]);
  for (const wrong of [7, [null], [{ place: place('a') }], [{ index: 1.5 }], [{ index: 0, rejection: 7 }]])
    await expect(unpack(wrong)).rejects.toThrow();
});
