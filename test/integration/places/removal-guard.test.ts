import { beforeEach, describe, expect, test } from 'vitest';
import { processSync } from '../../../functions/places/process-sync.ts';
import { bars } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { shownEvents } from '../../support/shown-events.ts';
import { place, type SyncRig, syncRig } from './sync-rig.ts';

const rig = inEachTest(syncRig);

function points(from: number, to: number, name?: string) {
  return Array.from({ length: to - from }, (_, n) =>
    place(`p${String(from + n).padStart(3, '0')}`, name ?? `p${from + n}`),
  );
}

/** Returns how many service points the offer has. */
async function pointCount(): Promise<number> {
  return (await rig.table.rows('PLACES#bars-of-moscow')).length;
}

/** The partner is told this of a list whose removals are held (rule 55). */
function heldEvent(sessionId: string, counted: object) {
  return { kind: 'list.held', by: 'bars', data: { offerId: 'bars-of-moscow', sessionId, ...counted } };
}

test('rule 32: a list that would remove more than half of the points, and at least 20, removes none, adds and updates what it has, and says so', async () => {
  await rig.sync(points(0, 40));
  const list = [...points(0, 15, 'new name'), ...points(100, 103)];
  const { changes: _, ...held } = await rig.sync(list);
  expect(held).toEqual({
    sessionId: 'uuid-2',
    status: 'FINISHED',
    errors: [],
    remarks: [],
    counts: { received: 18, added: 3, updated: 15, unchanged: 0, removed: 0, rejected: 0, removalsHeld: 25 },
    warnings: [
      'places: 25 points that the list does not name were not removed, because they are more than 50 % of the 40 stored before; to remove them, send the list again with "confirmRemovals": true',
    ],
  });
  expect(await pointCount()).toBe(43);
  const counted = { added: 3, updated: 15, removed: 0, removalsHeld: 25, received: 18, rejected: 0 };
  expect(await shownEvents(rig)).toContainEqual(heldEvent('uuid-2', counted));
});

describe('rule 60: the guard remembers', () => {
  const named = (ids: readonly string[]) => ids.map((id) => place(id));
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => `${n}`);
  const padded = numbers(40).map((id) => id.padStart(5, '0'));

  beforeEach(() => rig.sync(named(padded)));

  test('40 points whose zeros a spreadsheet dropped are held however often the same list comes', async () => {
    const list = named(numbers(40));
    const first = await rig.sync(list);
    expect(first.counts).toMatchObject({ added: 40, removed: 0, removalsHeld: 40 });
    for (let n = 0; n < 3; n++) {
      const again = await rig.sync(list);
      expect(again.counts).toMatchObject({ unchanged: 40, removed: 0, removalsHeld: 40 });
      expect(again.warnings?.[0]).toContain('40 stored before');
    }
    expect(await pointCount()).toBe(80);
    const confirmed = await rig.sync(list, { confirmRemovals: true });
    expect(confirmed.counts).toMatchObject({ unchanged: 40, removed: 40 });
    expect(confirmed.counts).not.toHaveProperty('removalsHeld');
    expect(confirmed).not.toHaveProperty('warnings');
    expect(await pointCount()).toBe(40);
    // Nothing is held any more: half of the points may be removed without a confirmation again.
    expect((await rig.sync(list.slice(0, 20))).counts).toMatchObject({ removed: 20 });
  });

  test('an offer that held lists have filled takes no more of them until its removals are confirmed', async () => {
    const hashes = async (offerId: string) => ({ ...(await rig.places.hashes(offerId)), pages: 128 });
    const process = processSync({ ...rig, places: { ...rig.places, hashes } });
    const syncFull = async (list: unknown[], more = {}) => {
      const { body } = await rig.send({ places: list, ...more });
      await rig.deliver(await rig.queue.drain(), 1, process);
      return rig.session((body as { sessionId: string }).sessionId);
    };
    // The list that finds it full is still applied.
    expect((await syncFull(named(['first']))).counts).toMatchObject({ added: 1, removalsHeld: 40 });
    const { counts, errors } = await syncFull(named(['first', 'second']));
    expect(counts).toMatchObject({ added: 0, unchanged: 1, rejected: 1, removalsHeld: 40 });
    expect(errors[0]?.description).toContain('places[1]: not stored');
    const confirmed = await syncFull(named(['second']), { confirmRemovals: true });
    expect(confirmed.counts).toMatchObject({ added: 1, removed: 41, rejected: 0 });
    expect((await syncFull(named(['second', 'third']))).counts).toMatchObject({ added: 1, rejected: 0 });
  });

  test('dry runs and lists that are wholly rejected neither begin nor end it', async () => {
    await rig.sync(named(numbers(50)), { dryRun: true });
    await rig.sync([{ itemId: 'x', placeInfo: {} }]);
    const remembered = () => rig.table.rows('HELD#bars-of-moscow');
    expect(await remembered()).toEqual([]);
    const counted = { added: 0, updated: 0, removed: 0, removalsHeld: 40, received: 1, rejected: 1 };
    expect(await shownEvents(rig)).toContainEqual(heldEvent('uuid-3', counted));
    await rig.sync(named(numbers(50)));
    await rig.sync(named(padded.concat(numbers(50))), { dryRun: true });
    await rig.sync(padded.concat(numbers(50)).map((itemId) => ({ itemId, placeInfo: {} })));
    expect(await remembered()).toMatchObject([{ storedBeforeHeld: 40 }]);
    await rig.sync(named(padded.concat(numbers(50))));
    expect(await remembered()).toEqual([]);
  });

  test('confirmRemovals: false confirms nothing, nor does a list after a confirmed one', async () => {
    const list = named(numbers(3));
    expect((await rig.sync(list, { confirmRemovals: false })).counts).toMatchObject({ removalsHeld: 40 });
    await rig.sync(list, { confirmRemovals: true });
    await rig.sync(named(padded), { confirmRemovals: true });
    expect((await rig.sync(list)).counts).toMatchObject({ removalsHeld: 40 });
  });
});

test('a partner can agree on another share than half', async () => {
  await rig.sync(points(0, 100));
  await rig.send({ places: points(0, 79) }, { partner: { ...bars, limits: { removalPercent: 20 } } });
  await rig.work();
  expect((await rig.session('uuid-2')).warnings?.[0]).toContain('more than 20 % of the 100 stored before');
});

test('rule 32: a list whose worker died keeps what its first record held back, though it would be little now', async () => {
  await rig.sync(points(0, 40));
  await rig.send({ places: [...points(0, 15), ...points(100, 130)] });
  const records = await rig.queue.drain();
  const writesOnly: SyncRig['places']['apply'] = async (offerId, { put }) => {
    await rig.places.apply(offerId, { put, remove: [] });
    throw new Error('the function died here');
  };
  const dying = processSync({ ...rig, places: { ...rig.places, apply: writesOnly } });
  await rig.deliver(records, 1, dying);
  // The list leaves out 25 of what are 70 points by now, which is less than half.
  await rig.deliver(records, 2);
  const ended = await rig.session('uuid-2');
  expect(ended.counts).toMatchObject({ added: 30, unchanged: 15, removed: 0, removalsHeld: 25 });
  expect(ended.warnings?.[0]).toContain('of the 40 stored before');
  expect(await pointCount()).toBe(70);
});
