import { beforeEach, expect, test } from 'vitest';
import { listPlaces } from '../../../functions/places/list-places.ts';
import { listSyncs } from '../../../functions/places/list-syncs.ts';
import { idempotencyStore } from '../../../shared/http/idempotency-store.ts';
import { offerLock } from '../../../shared/places/offer-lock.ts';
import { bakery, call, forBars, type Request } from '../../support/http.ts';
import { place, syncRig } from './sync-rig.ts';

type Listed = { sessions: { sessionId: string; status: string; startedAt: string; dryRun?: true }[] };

let rig: Awaited<ReturnType<typeof syncRig>>;
beforeEach(async () => {
  rig = await syncRig();
});

function deps() {
  return { clock: rig.clock, idempotency: idempotencyStore(rig.table) };
}

async function sessions(request: Request = forBars): Promise<Listed['sessions']> {
  const handler = listSyncs({
    ...deps(),
    sessions: rig.sessions,
    offerLock: offerLock(rig.table, rig.clock),
  });
  return ((await call(handler, request)).body as Listed).sessions;
}

const forBakery = { partner: bakery, headers: { offerid: 'bakery-club' } };

test('the newest 20 sessions are listed, newest first, dry runs too', async () => {
  for (let n = 0; n < 21; n++) await rig.sync([place('1')], n === 20 ? { dryRun: true } : {});
  await rig.send({ places: [place('2')] });

  const listed = await sessions();
  expect(listed.map(({ status, dryRun }) => ({ status, dryRun })).slice(0, 3)).toEqual([
    { status: 'PROCESSING' },
    { status: 'FINISHED', dryRun: true },
    { status: 'FINISHED' },
  ]);
  expect(listed).toHaveLength(20);
  expect(listed[0]).toEqual({
    sessionId: 'uuid-22',
    status: 'PROCESSING',
    counts: { received: 1, added: 0, updated: 0, unchanged: 0, removed: 0, rejected: 0 },
    startedAt: '2026-05-20T12:00:00.000Z',
  });
  expect(listed[19]?.sessionId).toBe('uuid-3');
});

test('a session is listed for its offer only, and not after its 30 days', async () => {
  await rig.sync([place('1')]);
  expect(await sessions(forBakery)).toEqual([]);
  expect(await sessions()).toHaveLength(1);
  rig.clock.advance(30 * 86_400_000);
  expect(await sessions()).toEqual([]);
});

test('listing sessions costs a list no write: acquiring and releasing the lock are 2 units as before', async () => {
  for (let n = 0; n < 20; n++) await rig.sync([place('1')]);
  rig.table.units();
  await rig.send({ places: [place('1')] });
  // The lock twice, and the session.
  expect(rig.table.units()).toMatchObject({ write: 3 });
  await sessions();
  expect(rig.table.units()).toMatchObject({ read: 21, write: 0 });
});

test('service points are listed page by page, of the own offer only', async () => {
  const handler = listPlaces({ ...deps(), places: rig.places });
  await rig.sync([place('1'), place('2')]);
  const first = await call(handler, { ...forBars, query: { limit: '1' } });
  expect(first).toMatchObject({ status: 200, body: { places: [{ itemId: '1' }] } });
  const { cursor } = first.body as { cursor: string };
  const second = await call(handler, { ...forBars, query: { limit: '2', cursor } });
  expect(second.body).toEqual({ places: [place('2')] });
  expect((await call(handler, forBakery)).body).toEqual({ places: [] });
  expect(await call(handler, { ...forBars, query: { cursor: '' } })).toMatchObject({
    status: 400,
    body: { errors: ['cursor: must be the cursor of the page before, unchanged'] },
  });
});
