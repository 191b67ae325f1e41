import { expect, test } from 'vitest';
import { forBars, respond } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { syncRig } from './sync-rig.ts';

const rig = inEachTest(syncRig);

const noAddress =
  '{"itemId":"p1","placeInfo":{"geoPoint":{"lat":55.750,"lng":1e400},"floor":9223372036854775807}}';

async function errorsOf(list: string) {
  const { sessionId } = (await rig.send(list)).body as { sessionId: string };
  await rig.work();
  const { body } = await respond(rig.handlers.get, { ...forBars, path: { sessionId } });
  return body;
}

test('rule 37: the place of an error has its numbers as they were sent', async () => {
  const text = await errorsOf(
    `{"places":[${noAddress},1e400,{"itemId":"p3","placeInfo":{"address":"Street"}}]}`,
  );
  expect(text).toContain(
    `"place":${noAddress},"description":"places[0].placeInfo.address: required; places[0].placeInfo.geoPoint.lng: is out of range"`,
  );
  expect(text).toContain('"place":1e400,"description":"places[1]: must be an object"');
  expect(await rig.stored()).toEqual([['p3', undefined]]);
});

test('rule 37: a service point that comes with its zeros is the same as without them', async () => {
  const list = (lat: string) =>
    `{"places":[{"itemId":"p1","placeInfo":{"address":"Street","geoPoint":{"lat":${lat},"lng":37.61}}}]}`;
  await errorsOf(list('55.75'));
  const text = await errorsOf(list('55.7500'));
  expect(JSON.parse(text)).toMatchObject({
    status: 'FINISHED',
    errors: [],
    counts: { unchanged: 1, rejected: 0 },
  });
});

test('rule 12: errors that no response has room for are not stored, and only counted', async () => {
  // In a response each quote takes four bytes.
  const places = Array.from({ length: 100 }, (_, n) => ({ itemId: `bar-${n}`, more: '"'.repeat(20_000) }));
  const sent = await rig.sendGzipped({ places });
  await rig.work();
  const { errors, ...session } = await rig.session((sent.body as { sessionId: string }).sessionId);
  expect(errors).toHaveLength(71);
  expect(errors[70]).toMatchObject({ place: { itemId: 'bar-70' } });
  expect(session).toMatchObject({ errorsOmitted: 29 });
  const stored = await rig.table.rows('SYNCERRORS#');
  expect(stored).toHaveLength(9);
});
