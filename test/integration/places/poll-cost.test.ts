import { expect, test } from 'vitest';
import { forBars, respond } from '../../support/http.ts';
import { syncRig } from './sync-rig.ts';

type Polled = { errors: { place: { itemId: string }; description: string }[]; errorsOmitted?: number };

/** Sends a list, processes it, and returns a function that polls its session. */
async function finished(places: readonly unknown[]) {
  const rig = await syncRig();
  const sent = await rig.sendGzipped({ places });
  const { sessionId } = sent.body as { sessionId: string };
  rig.table.units();
  await rig.work();
  const processed = rig.table.units();
  const poll = async () => (await respond(rig.handlers.get, { ...forBars, path: { sessionId } })).body;
  return { rig, processed, poll };
}

test('rule 12: a poll that shows 20,000 errors reads little more than their gzipped text', async () => {
  const schedule = 'Пн-Вс 10:00-22:00';
  const places = Array.from({ length: 20_000 }, (_, n) => ({
    itemId: `bar-${n}`,
    placeInfo: { name: `Бар номер ${n}`, schedule, type: 'bar' },
  }));
  const { rig, poll } = await finished(places);
  const text = await poll();
  const { read } = rig.table.units();
  const { errors, errorsOmitted } = JSON.parse(text) as Polled;
  expect(errors).toHaveLength(20_000);
  expect(errorsOmitted).toBeUndefined();
  expect(text.split('"errors":')).toHaveLength(2);
  expect(errors[19_999]).toEqual({
    place: { itemId: 'bar-19999', placeInfo: { name: 'Бар номер 19999', schedule, type: 'bar' } },
    description: 'places[19999].placeInfo.address: required',
  });
  // An eventually consistent read of the text as one row would take 23 units; ten rows are rounded up.
  expect(read).toBeLessThan(30);
});

test('rule 12: errors that no response has room for are not stored, and only counted', async () => {
  // In a response each quote takes four bytes.
  const places = Array.from({ length: 1_000 }, (_, n) => ({ itemId: `bar-${n}`, more: '"'.repeat(20_000) }));
  const { rig, poll } = await finished(places);
  const { errors, errorsOmitted } = JSON.parse(await poll()) as Polled;
  expect(errors.map(({ place }) => place.itemId)).toEqual(Array.from({ length: 71 }, (_, n) => `bar-${n}`));
  expect(errorsOmitted).toBe(929);
  const stored = (await rig.table.rows()).filter(({ pk }) => String(pk).startsWith('SYNCERRORS#'));
  expect(stored).toHaveLength(9);
});

test('an error is stored as responses may show it, without members of our own', async () => {
  const rig = await syncRig();
  const ref = { offerId: 'bars-of-moscow', sessionId: 'session-1' };
  await rig.sessions.begin({ ...ref, received: 1, dryRun: false, acceptedAt: rig.clock.now() });
  const counts = { received: 1, added: 0, updated: 0, unchanged: 0, removed: 0, rejected: 1 };
  const withCause = { place: { itemId: 'a' }, description: 'places[0]: wrong', unexpected: 'the cause' };
  await rig.sessions.record(
    ref,
    { counts, warnings: [], remarks: [], changes: undefined, rejected: [withCause] },
    rig.clock.now(),
  );
  await rig.sessions.end(ref, 'FINISHED');
  expect((await rig.session('session-1')).errors).toEqual([
    { place: { itemId: 'a' }, description: 'places[0]: wrong' },
  ]);
});
