import { expect, test } from 'vitest';
import { processSync } from '../../../functions/places/process-sync.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { shownEvents } from '../../support/shown-events.ts';
import { place, syncRig } from './sync-rig.ts';

const rig = inEachTest(syncRig);

const full = {
  name: 'Bar',
  address: 'Arbat, 1',
  phones: [{ type: 'main', number: '1' }],
  schedule: '10-22',
  metroStations: ['Arbatskaya'],
  type: 'bar',
  geoPoint: { lat: 55.7, lng: 37.6 },
};

test.each([
  [
    { ...full, phones: [{ type: 'main', number: '2' }], geoPoint: { lat: 55.7, lng: 37.61 } },
    ['phones', 'geoPoint'],
  ],
  [{ address: 'Arbat, 1' }, ['name', 'phones', 'schedule', 'metroStations', 'type', 'geoPoint']],
  [{ ...full, metroStations: null, name: '', shedule: 'x' }, ['name', 'metroStations']],
])(
  'rule 57: of an updated point the session names the members that change (%#)',
  async (placeInfo, members) => {
    await rig.sync([{ itemId: 'a', placeInfo: full }, place('b')]);
    const list = [{ itemId: 'a', placeInfo }, place('b')];
    const dry = await rig.sync(list, { dryRun: true });
    expect(dry.changes).toEqual({ updated: [{ itemId: 'a', members }] });
    expect((await rig.sync(list)).changes).toEqual(dry.changes);
    expect(await rig.sync(list)).not.toHaveProperty('changes');
  },
);

test('rule 57: changes name what is added, updated and removed, in dry runs too, and what is held back', async () => {
  const list = [place('a'), place('b'), place('c'), { itemId: 'd', placeInfo: {} }];
  await rig.sync([place('b', 'old'), place('c', 'old'), place('d'), place('e')]);
  const changes = {
    added: ['a'],
    removed: ['e'],
    updated: ['b', 'c'].map((itemId) => ({ itemId, members: ['name'] })),
  };
  expect((await rig.sync(list, { dryRun: true })).changes).toEqual(changes);
  expect((await rig.sync(list)).changes).toEqual(changes);
  const held = await rig.sync([{ itemId: 'x', placeInfo: {} }]);
  expect(held.counts).toMatchObject({ removed: 0, removalsHeld: 4 });
  expect(held.changes).toEqual({ removed: ['a', 'b', 'c', 'd'] });
});

test('rule 57: of each kind of change the first 100 are named, and no more contents are read than that', async () => {
  const points = (from: number, name: string) =>
    Array.from({ length: 1_000 }, (_, n) => place(`p${String(from + n).padStart(4, '0')}`, name));
  await rig.sync(points(0, 'old'));
  rig.table.units();
  const unchanged = await rig.sync(points(0, 'old'), { dryRun: true });
  const { read } = rig.table.units();
  expect(unchanged.changes).toBeUndefined();
  const { changes, counts } = await rig.sync(points(500, 'new'), { dryRun: true });
  expect(counts).toMatchObject({ added: 500, updated: 500, removed: 500 });
  expect([changes?.added?.length, changes?.removed?.length, changes?.updated?.length]).toEqual([
    100, 100, 100,
  ]);
  expect(changes?.added?.[99]).toBe('p1099');
  expect(changes?.removed?.[99]).toBe('p0099');
  expect(changes?.updated?.[99]).toEqual({ itemId: 'p0599', members: ['name'] });
  // A consistent read of each of 100 small points takes a unit. The rest is the row of changes, for the poll.
  const more = rig.table.units().read - read;
  expect(more).toBeGreaterThanOrEqual(100);
  expect(more).toBeLessThan(105);
});

test('rule 57: the session of a list that is given up shows no changes', async () => {
  await rig.send({ places: [place('a')] });
  const messages = await rig.queue.drain();
  const failing = processSync({
    ...rig,
    places: { ...rig.places, apply: () => Promise.reject(new Error('the function died here')) },
  });
  await rig.deliver(messages, 20, failing);
  expect(await rig.session('uuid-1')).toMatchObject({ status: 'PROCESSING', counts: { added: 1 } });
  expect(await rig.session('uuid-1')).not.toHaveProperty('changes');
  await rig.deliver(messages, 1, rig.handlers.endFailed);
  expect(await rig.session('uuid-1')).not.toHaveProperty('changes');
});

test('rule 55: a dry run of a list that is given up leaves no event', async () => {
  await rig.send({ places: [place('a')], dryRun: true });
  await rig.deliver(await rig.queue.drain(), 1, rig.handlers.endFailed);
  expect(await shownEvents(rig)).toEqual([]);
});

test('rule 55: a list that only removes leaves an event', async () => {
  await rig.sync([place('a'), place('b')]);
  rig.clock.advance(1);
  await rig.sync([place('a')]);
  expect((await shownEvents(rig))[0]).toMatchObject({ kind: 'list.finished', data: { removed: 1 } });
});
