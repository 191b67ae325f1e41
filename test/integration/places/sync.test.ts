import { describe, expect, test } from 'vitest';
import { forBars, respond } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { counts, place, syncRig } from './sync-rig.ts';

const rig = inEachTest(syncRig);

describe('a session', () => {
  test('is PROCESSING until its list is processed, then FINISHED', async () => {
    const started = await rig.send({ places: [place('1')] });
    expect(started).toMatchObject({ status: 200, body: { sessionId: 'uuid-1' } });

    const begun = { sessionId: 'uuid-1', status: 'PROCESSING', errors: [], remarks: [] };
    expect(await rig.get('uuid-1')).toMatchObject({
      status: 200,
      headers: { 'retry-after': '2' },
      body: { ...begun, counts: counts({ received: 1 }) },
    });
    await rig.work();
    const finished = await rig.get('uuid-1');
    expect(finished.body).toEqual({
      sessionId: 'uuid-1',
      status: 'FINISHED',
      errors: [],
      remarks: [],
      counts: counts({ received: 1, added: 1 }),
      changes: { added: ['1'] },
    });
    expect(finished.headers).not.toHaveProperty('retry-after');
  });

  test('rule 10: leaves exactly the list: new points are added, changed ones updated, absent ones removed', async () => {
    await rig.sync([place('a'), place('b'), place('c')]);
    const session = await rig.sync([place('a'), place('b', 'New name'), place('d')]);
    expect(session.counts).toEqual(counts({ received: 3, added: 1, updated: 1, unchanged: 1, removed: 1 }));
    expect(session.changes).toMatchObject({ added: ['d'], updated: [{ itemId: 'b' }], removed: ['c'] });
    expect(await rig.stored()).toEqual([
      ['a', 'a'],
      ['b', 'New name'],
      ['d', 'd'],
    ]);
  });

  test('rule 9: returns errors in the order of the list, whatever is wrong with each element', async () => {
    const list = [
      null,
      place('z'),
      { itemId: '', placeInfo: { address: 'x' } },
      { itemId: 'm', placeInfo: { address: 'x', geoPoint: { lat: 91, lng: -181 } } },
      { itemId: '\ud800', placeInfo: { address: 'x' } },
      { itemId: 7, placeInfo: 'here' },
      { itemId: ' \u00a0 ', placeInfo: { address: ' \u00a0 ' } },
    ];
    const session = await rig.sync(list);
    expect(session.errors.map(({ description }) => description)).toEqual([
      'places[0]: must be an object',
      'places[2].itemId: must not be empty',
      'places[3].placeInfo.geoPoint.lat: must be at most 90; places[3].placeInfo.geoPoint.lng: must be at least -180',
      'places[4].itemId: must be valid Unicode (it holds half of a surrogate pair)',
      'places[5].itemId: must be a string; places[5].placeInfo: must be an object',
      'places[6].itemId: must not be blank; places[6].placeInfo.address: must not be blank',
    ]);
    expect(session.counts).toEqual(counts({ received: 7, added: 1, rejected: 6 }));
  });

  test('rule 10: leaves the points whose ids were sent as numbers, also as those that JavaScript cannot have', async () => {
    const ids = ['-7', '1.5', '5', '9007199254740993'];
    await rig.sync(ids.map((id) => place(id)));
    const numbers = ids.map((id) => `{"itemId":${id}}`).join();
    await rig.send(`{"places":[${numbers},${JSON.stringify(place('new'))}]}`);
    await rig.work();
    const done = { counts: counts({ received: 5, added: 1, rejected: 4 }), changes: { added: ['new'] } };
    expect(await rig.session('uuid-2')).toMatchObject(done);
    expect((await rig.stored()).map(([id]) => id)).toEqual([...ids, 'new']);
  });

  test('rule 7: rejects an element whose text is damaged, alone, and leaves its point as it was', async () => {
    await rig.sync([place('a'), place('b')]);
    const session = await rig.sync([
      place('a', '\ufffd\ufffd'),
      place('b', 'new'),
      { ...place('c'), note: '\ufffd' },
    ]);
    const damaged =
      'holds U+FFFD, which stands for bytes that were not UTF-8: the text is damaged, send it in UTF-8';
    expect(session.errors).toEqual([
      { place: place('a', '\ufffd\ufffd'), description: `places[0].placeInfo.name: ${damaged}` },
      { place: { ...place('c'), note: '\ufffd' }, description: `places[2].note: ${damaged}` },
    ]);
    expect(await rig.stored()).toEqual([
      ['a', 'a'],
      ['b', 'new'],
    ]);
  });

  test.each([33, 17_734])('rejects an element nested %i levels deep, alone', async (levels) => {
    const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`;
    await rig.send(`{"places":[{"itemId":"a","placeInfo":{"address":"x"}},{"itemId":"deep","x":${deep}}]}`);
    await rig.work();
    expect((await rig.get('uuid-1')).body).toMatchObject({
      status: 'FINISHED',
      counts: { added: 1, rejected: 1 },
    });
  });

  test('rule 12: is kept 30 days to the millisecond', async () => {
    await rig.sync([place('a')]);
    rig.clock.advance(30 * 86_400_000 - 1);
    expect((await rig.get('uuid-1')).status).toBe(200);
    rig.clock.advance(1);
    expect(await rig.get('uuid-1')).toMatchObject({ status: 404, body: { status: 'SESSION_NOT_FOUND' } });
  });

  test('is found by its id in upper case', async () => {
    const sessionId = 'b8a1f1de-5c2b-7a4e-9d55-0f7a5f0c1a2b';
    const session = { offerId: 'bars-of-moscow', sessionId, received: 1, dryRun: false };
    await rig.sessions.begin({ ...session, acceptedAt: rig.clock.now() });
    expect((await rig.get(sessionId.toUpperCase())).body).toMatchObject({ sessionId });
  });

  test('rule 13: with dryRun plans everything and writes nothing but itself', async () => {
    await rig.sync([place('a'), place('b')]);
    const others = async () =>
      (await rig.table.rows()).filter(({ pk }) => !/^(SYNC|SYNCCHANGES|LIST|REQUESTS)#/.test(String(pk)));
    const before = await others();
    const session = await rig.sync([place('a', 'changed'), place('c')], { dryRun: true });
    expect(session).toMatchObject({
      dryRun: true,
      counts: counts({ received: 2, added: 1, updated: 1, removed: 1 }),
    });
    expect(before).toHaveLength(3);
    expect(await others()).toEqual(before);
  });
});

test('ids in Cyrillic, Latin and emoji are stored in UTF-8 byte order', async () => {
  // UTF-16 order would put the emoji (surrogates, 0xD83D) before the private use character (0xE000).
  const ids = ['\u{1F600}', '\uE000', 'я', 'Б', 'z', 'A', '0', '\u{1F601}'];
  const many = ids.flatMap((id) =>
    Array.from({ length: 21 }, (_, n) => place(`${id}${String(n).padStart(3, '0')}`)),
  );
  await rig.sync(many);
  const session = await rig.sync([...many].reverse());
  expect(session.counts).toEqual(counts({ received: 168, unchanged: 168 }));

  const fewer = await rig.sync(many.filter((_, n) => n % 3 !== 0));
  expect(fewer.counts).toEqual(counts({ received: 112, unchanged: 112, removed: 56 }));
  const first = await rig.places.page('bars-of-moscow', 1);
  const page = await rig.places.page('bars-of-moscow', 500, 'я020');
  expect(first.places[0]?.itemId).toBe('0001');
  expect(page.places.map(({ itemId }) => itemId).filter((itemId) => itemId.endsWith('001'))).toEqual([
    '\uE000001',
    '\u{1F600}001',
    '\u{1F601}001',
  ]);
});

test('rule 11: overlapping sessions are both accepted when they arrive at the same moment, in one group of the queue', async () => {
  const lists = ['one', 'two', 'three'].map((name) => rig.send({ places: [place('a', name)] }));
  expect((await Promise.all(lists)).map(({ status }) => status)).toEqual([200, 200, 200]);
  const records = await rig.queue.drain();
  expect(records.map(({ attributes }) => attributes.MessageGroupId)).toEqual([
    'bars-of-moscow',
    'bars-of-moscow',
    'bars-of-moscow',
  ]);
});

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
