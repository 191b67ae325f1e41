import { expect, test } from 'vitest';
import { cpuOf } from '../../support/cpu.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { syncRig } from './sync-rig.ts';

const rig = inEachTest(syncRig);

/** A point with more members in its placeInfo. */
function withInfo(itemId: string, more: object) {
  return { itemId, placeInfo: { address: `Arbat, ${itemId}`, ...more } };
}

test('rule 57: a rejected element has its error, and the remark that explains it', async () => {
  const list = [
    { itemId: 'a', adress: 'Arbat', placeInfo: {} },
    { itemid: 'b', placeInfo: { address: 'Arbat' } },
    { itemId: 'c', placeInfo: { address: 'Arbat', geoPoint: { lat: 55.7, long: 37.6 } } },
  ];
  const { errors, remarks } = await rig.sync(list);
  expect(errors.map(({ description }) => description)).toEqual([
    'places[0].placeInfo.address: required',
    'places[1].itemId: required',
    'places[2].placeInfo.geoPoint.lng: required',
  ]);
  expect(remarks[0]).toEqual({
    code: 'MEMBER_UNKNOWN',
    count: 3,
    samples: [
      { itemId: 'a', description: 'places[0].adress: unknown, ignored' },
      { description: 'places[1].itemid: unknown, did you mean itemId?' },
      { itemId: 'c', description: 'places[2].placeInfo.geoPoint.long: unknown, did you mean lng?' },
    ],
  });
});

test('rule 57: every different member has a sample before one has two', async () => {
  const list = [
    ...Array.from({ length: 20 }, (_, n) =>
      withInfo(`a${n}`, { note: 'x', phones: [{ ext: 1 }, { ext: 2 }] }),
    ),
    withInfo('b', { note: 'x', shedule: '' }),
    withInfo('c', {}),
  ];
  const { remarks } = await rig.sync(list);
  expect(remarks[0]?.count).toBe(21);
  const [first, second, third, fourth, ...others] = remarks[0]?.samples ?? [];
  expect([first, second, third, fourth]).toEqual([
    { itemId: 'a0', description: 'places[0].placeInfo.phones[0].ext: unknown, ignored' },
    { itemId: 'a0', description: 'places[0].placeInfo.note: unknown, ignored' },
    { itemId: 'b', description: 'places[20].placeInfo.shedule: unknown, did you mean schedule?' },
    { itemId: 'a1', description: 'places[1].placeInfo.phones[0].ext: unknown, ignored' },
  ]);
  expect(others).toHaveLength(6);
});

/** Names that are a known one without their separators, and a letter. */
function hostile(length: number) {
  return Object.fromEntries(
    Array.from({ length }, (_, n) => [[...'schedule'].join(n % 2 ? '_' : '-') + n.toString(36), 1]),
  );
}

// A list of the names of all elements would take more memory than the list, and comparing all pairs minutes.
test.each([
  ['20,000 elements with 20 unknown members', 20_000, 20],
  ['an element with 100,000 unknown members', 1, 100_000],
])('rule 57: %s cost no more than a multiple of their parsing', async (what, elements, members) => {
  const more = hostile(members);
  const places = Array.from({ length: elements }, (_, n) => withInfo(`shop-${n}`, more));
  const text = JSON.stringify({ places, dryRun: true });
  const { status } = await rig.sendGzipped(text);
  expect(status).toBe(200);
  const [parsing] = await cpuOf(() => JSON.parse(text));
  const [processing] = await cpuOf(() => rig.work());
  console.log(`${what}: ${processing.toFixed(0)} ms, parsed in ${parsing.toFixed(0)} ms`);
  expect((await rig.session('uuid-1')).remarks[0]).toMatchObject({ count: elements });
  expect(processing / parsing).toBeLessThan(50);
});

test('rule 61: null in an optional member of an element is as if it were absent, and an error shows it as sent', async () => {
  const point = withInfo('a', { name: null, phones: null, geoPoint: null, schedule: '10-22' });
  const { counts, remarks } = await rig.sync([point]);
  expect([counts['added'], remarks]).toEqual([1, []]);
  expect(await rig.sync([withInfo('a', { schedule: '10-22' })])).toMatchObject({ counts: { unchanged: 1 } });
  const wrong = withInfo('b', { name: null, address: null });
  expect((await rig.sync([wrong])).errors).toEqual([
    { place: wrong, description: 'places[0].placeInfo.address: must be a string' },
  ]);
});
