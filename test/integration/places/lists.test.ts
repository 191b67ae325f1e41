import { expect, test } from 'vitest';
import { listPlaces } from '../../../functions/places/list-places.ts';
import { listSyncs } from '../../../functions/places/list-syncs.ts';
import { systemIds } from '../../../shared/platform/runtime/ids.ts';
import { noon } from '../../support/clock.ts';
import { bakery, call, forBars, type Request } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { counts, place, syncRig } from './sync-rig.ts';

type Listed = { sessions: { sessionId: string; status: string; startedAt: string; dryRun?: true }[] };

const rig = inEachTest(syncRig);

async function sessions(request: Request = forBars): Promise<Listed['sessions']> {
  const handler = listSyncs(rig);
  return ((await call(handler, request)).body as Listed).sessions;
}

const forBakery = { partner: bakery, headers: { offerid: 'bakery-club' } };

/** Begins a session for a list of one element. */
async function begin(acceptedAt: number, dryRun = false): Promise<string> {
  const sessionId = systemIds.uuidAt(acceptedAt);
  await rig.sessions.begin({ offerId: 'bars-of-moscow', sessionId, received: 1, dryRun, acceptedAt });
  return sessionId;
}

test('rule 34: the newest 20 sessions are listed, newest first, dry runs too, in the order of their ids', async () => {
  const begun: string[] = [];
  for (let n = 0; n < 22; n++) begun.push(await begin(noon + n, n === 20));

  const listed = await sessions();
  expect(listed.map(({ sessionId }) => sessionId)).toEqual(begun.slice(2).reverse());
  const shown = { status: 'PROCESSING', counts: counts({ received: 1 }) };
  expect(listed.slice(0, 2)).toEqual([
    { ...shown, sessionId: begun[21], startedAt: '2026-05-20T12:00:00.021Z' },
    { ...shown, sessionId: begun[20], startedAt: '2026-05-20T12:00:00.020Z', dryRun: true },
  ]);
});

test('a session is listed for its offer only, and not after its 30 days', async () => {
  await rig.sync([place('1')]);
  expect(await sessions(forBakery)).toEqual([]);
  expect(await sessions()).toHaveLength(1);
  rig.clock.advance(30 * 86_400_000);
  expect(await sessions()).toEqual([]);
});

test('rule 34: service points are listed page by page, of the own offer only', async () => {
  const handler = listPlaces(rig);
  await rig.sync([place('1'), place('2')]);
  const first = await call(handler, { ...forBars, query: { limit: '1' } });
  expect(first).toMatchObject({ status: 200, body: { places: [{ itemId: '1' }] } });
  const { cursor } = first.body as { cursor: string };
  const second = await call(handler, { ...forBars, query: { limit: '2', cursor } });
  expect(second.body).toEqual({ places: [place('2')] });
  expect((await call(handler, forBakery)).body).toEqual({ places: [] });
});
