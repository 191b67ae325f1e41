import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { bakery, forBars } from '../../support/http.ts';
import { redelivered } from '../../support/queue.ts';
import { place, syncRig } from './sync-rig.ts';

let rig: Awaited<ReturnType<typeof syncRig>>;
beforeEach(async () => {
  rig = await syncRig();
});

function counts(part: Record<string, number>) {
  return {
    received: 0,
    added: 0,
    updated: 0,
    unchanged: 0,
    removed: 0,
    rejected: 0,
    ...part,
  };
}

describe('a session', () => {
  test('is PROCESSING until its slices are processed, then FINISHED', async () => {
    const started = await rig.send({ places: [place('1')] });
    expect(started).toMatchObject({ status: 200, body: { sessionId: 'uuid-1' } });

    expect(await rig.get('uuid-1')).toMatchObject({
      status: 200,
      headers: { 'retry-after': '2' },
      body: { sessionId: 'uuid-1', status: 'PROCESSING', errors: [], counts: counts({ received: 1 }) },
    });
    await rig.work();
    const finished = await rig.get('uuid-1');
    expect(finished.body).toEqual({
      sessionId: 'uuid-1',
      status: 'FINISHED',
      errors: [],
      counts: counts({ received: 1, added: 1 }),
    });
    expect(finished.headers).not.toHaveProperty('retry-after');
  });

  test('leaves exactly the list: new points are added, changed ones updated, absent ones removed', async () => {
    await rig.sync([place('a'), place('b'), place('c')]);
    const session = await rig.sync([place('a'), place('b', 'New name'), place('d')]);
    expect(session.counts).toEqual(counts({ received: 3, added: 1, updated: 1, unchanged: 1, removed: 1 }));
    expect(await rig.stored()).toEqual([
      ['a', 'a'],
      ['b', 'New name'],
      ['d', 'd'],
    ]);
  });

  test('leaves the stored row of a rejected item as it was, and names the field that is wrong', async () => {
    await rig.sync([place('a'), place('b')]);
    const wrong = { itemId: 'b', placeInfo: { name: 'no address' } };
    const session = await rig.sync([place('a'), wrong]);
    expect(session.counts).toEqual(counts({ received: 2, unchanged: 1, rejected: 1 }));
    expect(session.errors).toEqual([{ place: wrong, description: 'places[1].placeInfo.address: required' }]);
    expect(await rig.stored()).toEqual([
      ['a', 'a'],
      ['b', 'b'],
    ]);
  });

  test('with an address of blanks is rejected', async () => {
    const blank = { itemId: 'p1', placeInfo: { address: ' \u00a0 ' } };
    const { errors } = await rig.sync([blank]);
    expect(errors).toEqual([
      { place: blank, description: 'places[0].placeInfo.address: required, it is blank' },
    ]);
  });

  test('with an itemId of blanks is rejected', async () => {
    const blank = { itemId: ' \u00a0 ', placeInfo: { address: 'Street' } };
    const { errors } = await rig.sync([blank]);
    expect(errors).toEqual([{ place: blank, description: 'places[0].itemId: required, it is blank' }]);
  });

  test('rejects the second item with an itemId already seen; the first counts', async () => {
    const session = await rig.sync([place('a', 'first'), place('b'), place('a', 'second')]);
    expect(session.errors).toEqual([
      {
        place: place('a', 'second'),
        description: 'places[2].itemId: already sent at places[0]; the first one counts',
      },
    ]);
    expect(await rig.stored()).toEqual([
      ['a', 'first'],
      ['b', 'b'],
    ]);
  });

  test('returns errors in the order of the list, whatever is wrong with each element', async () => {
    const list = [
      null,
      place('z'),
      { itemId: '', placeInfo: { address: 'x' } },
      { itemId: 'm', placeInfo: { address: 'x', geoPoint: { lat: 91, lng: -181 } } },
      { itemId: 'k'.repeat(129), placeInfo: { address: 'x' } },
      {
        itemId: 'p',
        placeInfo: { address: 'x', phones: Array.from({ length: 21 }, () => ({ number: '1' })) },
      },
      { itemId: '\ud800', placeInfo: { address: 'x' } },
      { itemId: 7, placeInfo: 'here' },
    ];
    const session = await rig.sync(list);
    expect(session.errors.map(({ description }) => description)).toEqual([
      'places[0]: must be an object',
      'places[2].itemId: required, it is empty',
      'places[3].placeInfo.geoPoint.lat: must be at most 90; places[3].placeInfo.geoPoint.lng: must be at least -180',
      'places[4].itemId: must have 1 to 128 characters, it has 129 (counted in Unicode code points)',
      'places[5].placeInfo.phones: must have at most 20 elements',
      'places[6].itemId: must be valid Unicode (it holds half of a surrogate pair)',
      'places[7].itemId: must be a string; places[7].placeInfo: must be an object',
    ]);
    expect(session.counts).toEqual(counts({ received: 8, added: 1, rejected: 7 }));
  });

  test('shows an element that is far too long without its content, and protects its row', async () => {
    await rig.sync([place('a'), place('b')]);
    const session = await rig.sync([place('a', 'x'.repeat(70_000)), place('b')]);
    expect(session.errors).toEqual([
      {
        place: { itemId: 'a' },
        description: 'places[0]: longer than 64000 bytes or nested too deeply, shown without its content',
      },
    ]);
    expect(await rig.stored()).toEqual([
      ['a', 'a'],
      ['b', 'b'],
    ]);
  });

  test('rejects an element whose text is damaged, alone, and leaves its point as it was', async () => {
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

  test('survives an element nested as deeply as JSON allows', async () => {
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    await rig.send(`{"places":[{"itemId":"a","placeInfo":{"address":"x"},"more":${deep}}]}`);
    await rig.work();
    expect(await rig.get('uuid-1')).toMatchObject({ status: 200, body: { status: 'FINISHED' } });
  });

  test('with more errors than fit into a response shows what fits and counts the rest', async () => {
    // Quotes count twice inside a function's response.
    const list = Array.from({ length: 100 }, (_, n) => ({ itemId: `b${n}`, more: '"'.repeat(20_000) }));
    // Plain, its quotes would not fit into an event either.
    const body = gzipSync(JSON.stringify({ places: list }));
    await rig.send(body, { headers: { ...forBars.headers, 'content-encoding': 'gzip' } });
    await rig.work();
    const session = (await rig.get('uuid-1')).body as { errors: unknown[]; errorsOmitted: number };
    expect(session.errors.length + session.errorsOmitted).toBe(100);
    expect(session.errors.length).toBeGreaterThan(20);
    const response = JSON.stringify(JSON.stringify(session));
    expect(Buffer.byteLength(response)).toBeLessThan(6_291_556);
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

  test('is kept 30 days to the millisecond', async () => {
    await rig.sync([place('a')]);
    rig.clock.advance(30 * 86_400_000 - 1);
    expect((await rig.get('uuid-1')).status).toBe(200);
    rig.clock.advance(1);
    expect(await rig.get('uuid-1')).toMatchObject({ status: 404, body: { status: 'SESSION_NOT_FOUND' } });
  });

  test('of another offer or partner gets the response of an unknown one', async () => {
    await rig.sync([place('a')]);
    const foreign = await rig.get('uuid-1', { partner: bakery, headers: { offerid: 'bakery-club' } });
    const unknown = await rig.get('uuid-9', { partner: bakery, headers: { offerid: 'bakery-club' } });
    expect(foreign.status).toBe(404);
    expect(JSON.stringify(foreign.body).replace('uuid-1', 'uuid-9')).toBe(JSON.stringify(unknown.body));
    expect((await rig.get('uuid-1', { headers: { offerid: 'bars-of-tver' } })).status).toBe(404);
  });

  test('with dryRun plans everything and writes nothing but itself', async () => {
    await rig.sync([place('a'), place('b')]);
    const session = await rig.sync([place('a', 'changed'), place('c')], { dryRun: true });
    expect(session).toMatchObject({
      dryRun: true,
      counts: counts({ received: 2, added: 1, updated: 1, removed: 1 }),
    });
    expect(await rig.stored()).toEqual([
      ['a', 'a'],
      ['b', 'b'],
    ]);
  });
});

describe('sending the same list again', () => {
  test('writes nothing but the session, and reads each place once', async () => {
    const list = Array.from({ length: 1_200 }, (_, n) =>
      place(`point-${n}`, 'Кафе «Чайка»', 'улица Тверская, дом 7'),
    );
    await rig.sync(list);
    rig.table.units();
    const session = await rig.sync(list);
    expect(session.counts).toEqual(counts({ received: 1_200, unchanged: 1_200 }));
    // The lock acquired and released, the session, and one update for each of its 3 slices and for its end.
    expect(rig.table.units().write).toBe(7);
  });
});

describe('ids in Cyrillic, Latin and emoji', () => {
  test('are cut and stored in UTF-8 byte order, so that every slice owns what it should', async () => {
    // UTF-16 order would put the emoji (surrogates, 0xD83D) before the private use character (0xE000).
    const ids = ['\u{1F600}', '\uE000', 'я', 'Б', 'z', 'A', '0', '\u{1F601}'];
    const many = ids.flatMap((id) =>
      Array.from({ length: 150 }, (_, n) => place(`${id}${String(n).padStart(3, '0')}`)),
    );
    await rig.sync(many);
    const session = await rig.sync([...many].reverse());
    expect(session.counts).toEqual(counts({ received: 1_200, unchanged: 1_200 }));

    const fewer = await rig.sync(many.filter((_, n) => n % 3 !== 0));
    expect(fewer.counts).toEqual(counts({ received: 800, unchanged: 800, removed: 400 }));
    const first = await rig.places.page('bars-of-moscow', 1);
    const page = await rig.places.page('bars-of-moscow', 500, 'я149');
    expect(first.places[0]?.itemId).toBe('0001');
    expect(page.places.map(({ itemId }) => itemId).filter((itemId) => itemId.endsWith('001'))).toEqual([
      '\uE000001',
      '\u{1F600}001',
      '\u{1F601}001',
    ]);
  });
});

describe('overlapping sessions', () => {
  test('of one offer take effect in the order in which they were accepted', async () => {
    const first = Array.from({ length: 700 }, (_, n) => place(`p${n}`, 'first'));
    const second = Array.from({ length: 300 }, (_, n) => place(`p${n * 3}`, 'second'));
    await rig.send({ places: first });
    await rig.send({ places: second, confirmRemovals: true });
    await rig.work();
    expect((await rig.get('uuid-1')).body).toMatchObject({
      status: 'FINISHED',
      counts: { added: 700, removed: 0 },
    });
    expect((await rig.get('uuid-2')).body).toMatchObject({
      status: 'FINISHED',
      counts: { added: 66, updated: 234, removed: 466 },
    });
    const stored = await rig.stored();
    expect(stored).toHaveLength(300);
    expect(new Set(stored.map(([, name]) => name))).toEqual(new Set(['second']));
  });

  test('wait for an earlier one that has to be tried again', async () => {
    await rig.send({ places: [place('a', 'first')] });
    await rig.send({ places: [place('a', 'second')] });
    const records = await rig.queue.drain();
    const broken = records.map((record, n) => (n === 0 ? { ...record, body: 'not yet readable' } : record));
    const response = await rig.handlers.process(redelivered(broken, 1));
    expect(response.batchItemFailures).toEqual(
      records.map(({ messageId }) => ({ itemIdentifier: messageId })),
    );
    expect(await rig.stored()).toEqual([]);

    await rig.handlers.process(redelivered(records, 2));
    expect(await rig.stored()).toEqual([['a', 'second']]);
  });

  test('of two offers do not touch each other', async () => {
    await rig.send({ places: [place('a', 'Moscow')] });
    await rig.send({ places: [place('a', 'Tver')] }, { headers: { offerid: 'bars-of-tver' } });
    const records = await rig.queue.drain();
    const broken = records.map((record, n) => (n === 0 ? { ...record, body: '{}' } : record));
    await rig.handlers.process(redelivered(broken, 1));
    expect(await rig.stored('bars-of-tver')).toEqual([['a', 'Tver']]);
    expect(await rig.stored('bars-of-moscow')).toEqual([]);
  });

  test('are accepted one at a time: a list that cannot get in is told to come back', async () => {
    const pending = await rig.send({ places: [place('a')] });
    expect(pending.status).toBe(200);
    const { offerLock } = await import('../../../shared/places/offer-lock.ts');
    await offerLock(rig.table, rig.clock).acquire('bars-of-moscow', 'somebody else');
    expect(await rig.send({ places: [place('b')] })).toMatchObject({
      status: 409,
      headers: { 'retry-after': '5' },
      body: { status: 'SYNC_BEING_ACCEPTED' },
    });
    // The holder of the lock died: after 40 s the lock expires.
    rig.clock.advance(40_000);
    expect((await rig.send({ places: [place('b')] })).status).toBe(200);
  });
});

describe('a slice', () => {
  test('delivered again after it was done changes nothing, not even after a newer session', async () => {
    await rig.send({ places: [place('a', 'old')] });
    const records = await rig.queue.drain();
    await rig.handlers.process(redelivered(records, 1));
    await rig.sync([place('a', 'new')]);
    await rig.handlers.process(redelivered(records, 2));
    expect(await rig.stored()).toEqual([['a', 'new']]);
    expect((await rig.get('uuid-1')).body).toMatchObject({ counts: counts({ received: 1, added: 1 }) });
  });

  test('that died after its writes and before its end counts what it did, once', async () => {
    await rig.sync([place('gone'), place('stays')]);
    await rig.send({ places: [place('stays'), place('new')] });
    const records = await rig.queue.drain();
    const { processSlice } = await import('../../../functions/places/process-slice.ts');
    const dying = processSlice({
      places: rig.places,
      removals: rig.removals,
      sessions: { ...rig.sessions, finishSlice: () => Promise.reject(new Error('the function died here')) },
      clock: rig.clock,
    });
    expect((await dying(redelivered(records, 1))).batchItemFailures).toHaveLength(2);
    await rig.handlers.process(redelivered(records, 2));
    expect((await rig.get('uuid-2')).body).toMatchObject({
      status: 'FINISHED',
      counts: counts({ received: 2, added: 1, unchanged: 1, removed: 1 }),
    });
  });

  test('that always fails still finishes its session: its items become errors, its rows stay', async () => {
    await rig.sync([place('a')]);
    await rig.send({ places: [place('a', 'changed'), place('b')] });
    await rig.handlers.endFailed(redelivered(await rig.queue.drain(), 1));
    expect((await rig.get('uuid-2')).body).toEqual({
      sessionId: 'uuid-2',
      status: 'FINISHED',
      counts: counts({ received: 2, rejected: 2 }),
      errors: [
        { place: place('a', 'changed'), description: 'places[0]: could not be processed, send again' },
        { place: place('b'), description: 'places[1]: could not be processed, send again' },
      ],
    });
    expect(await rig.stored()).toEqual([['a', 'a']]);
  });

  test('that would only have removed points is given up aloud: what it left undone is an error', async () => {
    const cutSmall = await syncRig({ sliceLimit: { places: 2, bytes: 700_000 } });
    await cutSmall.sync([...'abcdefghijklmnop'].map((id) => place(id)));
    await cutSmall.send({ places: [place('a')] });
    await cutSmall.handlers.endFailed(redelivered(await cutSmall.queue.drain(), 1));
    const { errors } = (await cutSmall.get('uuid-2')).body as {
      errors: { place: unknown; description: string }[];
    };
    expect(errors.filter(({ description }) => description.endsWith('send the list again'))).toContainEqual({
      place: {},
      description: 'places: part 2 of the list could not be processed, send the list again',
    });
    expect(await cutSmall.stored()).toHaveLength(16);
  });

  test('that would only have removed points is an error also when nothing else was wrong', async () => {
    const cutSmall = await syncRig({ sliceLimit: { places: 2, bytes: 700_000 } });
    await cutSmall.sync([...'abcdefghijklmnop'].map((id) => place(id)));
    await cutSmall.send({ places: [place('a')], confirmRemovals: true });
    const records = await cutSmall.queue.drain();
    const [second] = records.splice(1, 1);
    if (!second) throw new Error('the list has one slice');
    await cutSmall.handlers.endFailed(redelivered([second], 1));
    await cutSmall.handlers.process(redelivered(records, 1));
    expect((await cutSmall.get('uuid-2')).body).toMatchObject({
      status: 'FINISHED',
      counts: { received: 1, unchanged: 1, rejected: 0 },
      errors: [
        { place: {}, description: 'places: part 2 of the list could not be processed, send the list again' },
      ],
    });
  });

  test('that was done before it got to the dead letters makes no errors there', async () => {
    // One bad slice can take the whole batch with it, also what was done: the function ends without a response.
    await rig.send({ places: [place('a'), place('a', 'again')] });
    const records = await rig.queue.drain();
    await rig.handlers.process(redelivered(records, 5));
    const done = await rig.get('uuid-1');
    await rig.handlers.endFailed(redelivered(records, 1));
    expect(await rig.get('uuid-1')).toEqual(done);
    expect(done.body).toMatchObject({ counts: counts({ received: 2, added: 1, rejected: 1 }) });
  });

  test('that nobody can read is parked with its reason', async () => {
    await rig.send({ places: [place('a')] });
    const [record] = await rig.queue.drain();
    if (!record) throw new Error('no slice was sent');
    const response = await rig.handlers.endFailed(redelivered([{ ...record, body: '{"half' }], 1));
    expect(response.batchItemFailures).toEqual([]);
    expect(await rig.table.rows()).toContainEqual(
      expect.objectContaining({
        pk: 'PARKED#places-sync',
        sk: record.messageId,
        reason: 'not a slice message',
        body: '{"half',
      }),
    );
  });
});

describe('a list the queue does not take as a whole', () => {
  test('is refused, and its session ends', async () => {
    const { startSync } = await import('../../../functions/places/start-sync.ts');
    const { call } = await import('../../support/http.ts');
    const { fakeIds } = await import('../../support/ids.ts');
    const { offerLock } = await import('../../../shared/places/offer-lock.ts');
    const { idempotencyStore } = await import('../../../shared/http/idempotency-store.ts');
    const gone = { ...rig.queue, url: `${rig.queue.url}-gone` };
    const start = startSync({
      offerLock: offerLock(rig.table, rig.clock),
      sessions: rig.sessions,
      queue: gone,
      ids: fakeIds(),
      clock: rig.clock,
      idempotency: idempotencyStore(rig.table),
    });
    expect(await call(start, { ...forBars, body: { places: [place('a')] } })).toMatchObject({
      status: 503,
      headers: { 'retry-after': '30' },
      body: { status: 'SYNC_UNAVAILABLE' },
    });
    expect((await rig.get('uuid-1')).body).toMatchObject({ status: 'FINISHED', counts: { rejected: 1 } });
  });
});

describe('the body', () => {
  test('may be gzipped', async () => {
    const body = gzipSync(JSON.stringify({ places: [place('кафе')] }));
    const started = await rig.send(body, { headers: { ...forBars.headers, 'content-encoding': 'gzip' } });
    expect(started.status).toBe(200);
    await rig.work();
    expect(await rig.stored()).toEqual([['кафе', 'кафе']]);
  });

  test('may have 100,000 places', async () => {
    const places = Array.from({ length: 100_000 }, (_, n) => place(String(n)));
    const body = gzipSync(JSON.stringify({ places }));
    await rig.send(body, { headers: { ...forBars.headers, 'content-encoding': 'gzip' } });
    expect((await rig.get('uuid-1')).body).toMatchObject({
      status: 'PROCESSING',
      counts: { received: 100_000 },
    });
  });

  test('may have 4.7 MB of gzip, or as much plain JSON as fits when its quotes are escaped', async () => {
    const gzipped = { headers: { ...forBars.headers, 'content-encoding': 'gzip' } };
    // These sizes are read, and are no JSON.
    expect(await rig.send(Buffer.alloc(4_700_000), gzipped)).toMatchObject({
      status: 400,
      body: { errors: ['body: is not valid gzip, though content-encoding says so'] },
    });
    for (const plain of ['"'.repeat(3_133_333), 'x'.repeat(6_266_666), '"'.repeat(3_000_000)])
      expect((await rig.send(plain)).status).toBe(400);
    expect((await rig.send('x'.repeat(6_266_667))).status).toBe(413);
  });

  test('may begin with a byte order mark, however it comes', async () => {
    const list = `\ufeff${JSON.stringify({ places: [place('a')] })}`;
    for (const body of [list, Buffer.from(list)]) expect((await rig.send(body)).status).toBe(200);
    const zipped = { headers: { ...forBars.headers, 'content-encoding': 'gzip' } };
    expect((await rig.send(gzipSync(list), zipped)).status).toBe(200);
  });

  test.each(['application/json; charset=windows-1251', 'application/json;Charset="KOI8-R"'])(
    'of type %s is refused with 415',
    async (contentType) => {
      const headers = { ...forBars.headers, 'content-type': contentType };
      expect(await rig.send({ places: [place('a')] }, { headers })).toMatchObject({
        status: 415,
        body: {
          status: 'CHARSET_UNSUPPORTED',
          errors: [expect.stringMatching(/ is not supported, send UTF-8$/)],
        },
      });
    },
  );

  test.each(['application/json', 'application/json; charset=UTF-8', 'text/plain; charset=utf8; x=y'])(
    'of type %s is read',
    async (contentType) => {
      const headers = { ...forBars.headers, 'content-type': contentType };
      expect((await rig.send({ places: [place('a')] }, { headers })).status).toBe(200);
    },
  );

  test.each([
    [{ Places: [] }, ['Places: unknown, did you mean places?', 'places: required']],
    [{ places: [{}], dryrun: true }, ['dryrun: unknown, did you mean dryRun?']],
    [{ places: [{}], confirm_removal: true }, ['confirm_removal: unknown, did you mean confirmRemovals?']],
  ])('with the misspelt member of %j is refused', async (body, errors) => {
    expect(await rig.send(body)).toMatchObject({ status: 400, body: { errors } });
  });

  test.each([
    [{ dryRun: 'true' }, 'dryRun: unknown here, send dryRun in the body'],
    [{ dryrun: 'true' }, 'dryrun: unknown here, send dryRun in the body'],
  ])('with %j in the query is refused: a sync that was meant to be dry is none', async (query, sentence) => {
    expect(await rig.send({ places: [place('a')] }, { query })).toMatchObject({
      status: 400,
      body: { errors: [sentence] },
    });
  });

  test.each([
    [
      'more than 4.7 MB of gzip',
      Buffer.alloc(4_700_001),
      { 'content-encoding': 'gzip' },
      /body: 4700001 bytes sent, the limit is 4700000; gzip it or send less/,
    ],
    [
      'quotes that take more than an event has room for when they are escaped',
      '"'.repeat(3_133_334),
      {},
      /body: 3133334 bytes sent, 6266670 with its quotes escaped, of which 6266668 fit; gzip it or send less/,
    ],
    [
      'more than 64 MB once gunzipped',
      gzipSync(Buffer.alloc(64_000_001, 32)),
      { 'content-encoding': 'gzip' },
      /body: more than 64000000 bytes once gunzipped/,
    ],
    [
      'more than 100,000 places',
      { places: Array.from({ length: 100_001 }, () => 1) },
      {},
      /places: 100001 elements, the limit is 100000/,
    ],
  ])('with %s is refused with 413', async (_what, body, headers, sentence) => {
    const response = await rig.send(body, { headers: { ...forBars.headers, ...headers } });
    expect(response).toMatchObject({ status: 413, body: { status: 'BODY_TOO_LARGE' } });
    expect((response.body as { errors: string[] }).errors[0]).toMatch(sentence);
  });

  test.each([
    ['nothing', undefined, {}, 'body: required, send JSON'],
    ['malformed JSON', '{"places": [', {}, 'body: is not valid JSON, it ends too early (at position 12)'],
    ['no object', '[]', {}, 'body: must be an object'],
    ['no places', {}, {}, 'places: required'],
    ['places of a wrong type', { places: 'all' }, {}, 'places: must be an array'],
    ['no place at all', { places: [] }, {}, 'places: must have at least 1 element'],
    ['dryRun of a wrong type', { places: [1], dryRun: 'yes' }, {}, 'dryRun: must be true or false'],
    [
      'broken gzip',
      Buffer.from('plain'),
      { 'content-encoding': 'gzip' },
      'body: is not valid gzip, though content-encoding says so',
    ],
    [
      'an unknown encoding',
      '{}',
      { 'content-encoding': 'br' },
      'content-encoding: only gzip is understood; send gzip or leave the header out',
    ],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), {}, 'body: is not valid UTF-8; send UTF-8'],
  ])('with %s is refused with 400 and a sentence', async (_what, body, headers, sentence) => {
    expect(await rig.send(body, { headers: { ...forBars.headers, ...headers } })).toMatchObject({
      status: 400,
      body: { status: 'REQUEST_INVALID', errors: [sentence] },
    });
  });
});

describe('the header offerId', () => {
  test('may be sent once, with one offer', async () => {
    const headers = { offerid: 'bars-of-moscow,bars-of-moscow' };
    expect(await rig.send({ places: [place('a')] }, { headers })).toMatchObject({
      status: 400,
      body: {
        errors: [
          'offerId: the header was sent more than once or names several offers, send it once with one of them',
        ],
      },
    });
  });

  test('is required', async () => {
    expect(await rig.send({ places: [place('a')] }, { headers: {} })).toMatchObject({
      status: 400,
      body: {
        status: 'REQUEST_INVALID',
        errors: ['offerId: header required, send the identifier of your loyalty program'],
      },
    });
  });

  test.each(['bakery-club', 'nobody'])("must be the partner's own: %s is forbidden", async (offerid) => {
    expect(await rig.send({ places: [place('a')] }, { headers: { offerid } })).toMatchObject({
      status: 403,
      body: { status: 'OFFER_FORBIDDEN', errors: ['offerId: is not a loyalty program of this account'] },
    });
  });
});
