import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { processSync } from '../../../functions/places/process-sync.ts';
import { startSync } from '../../../functions/places/start-sync.ts';
import { days } from '../../../shared/platform/runtime/clock.ts';
import { abortingInTime } from '../../../shared/platform/runtime/sdk-client.ts';
import { timeIsOver } from '../../../shared/platform/runtime/time-left.ts';
import { noon } from '../../support/clock.ts';
import { call, forBars, refusal } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { collectLines } from '../../support/log-lines.ts';
import { redelivered } from '../../support/queue.ts';
import { place, syncRig } from './sync-rig.ts';

const rig = inEachTest(syncRig);

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
  test('is PROCESSING until its list is processed, then FINISHED', async () => {
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
      { itemId: 'k'.repeat(129), placeInfo: { address: 'x' } },
      {
        itemId: 'p',
        placeInfo: { address: 'x', phones: Array.from({ length: 21 }, () => ({ number: '1' })) },
      },
      { itemId: '\ud800', placeInfo: { address: 'x' } },
      { itemId: 7, placeInfo: 'here' },
      { itemId: ' \u00a0 ', placeInfo: { address: ' \u00a0 ' } },
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
      'places[8].itemId: required, it is blank; places[8].placeInfo.address: required, it is blank',
    ]);
    expect(session.counts).toEqual(counts({ received: 9, added: 1, rejected: 8 }));
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

test('ids in Cyrillic, Latin and emoji are stored in UTF-8 byte order', async () => {
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

describe('rule 11: overlapping sessions', () => {
  test('of two offers do not touch each other', async () => {
    await rig.send({ places: [place('a', 'Moscow')] });
    await rig.send({ places: [place('a', 'Tver')] }, { headers: { offerid: 'bars-of-tver' } });
    await rig.work();
    expect(await rig.stored('bars-of-tver')).toEqual([['a', 'Tver']]);
    expect(await rig.stored('bars-of-moscow')).toEqual([['a', 'Moscow']]);
  });

  test('are both accepted when they arrive at the same moment, in one group of the queue', async () => {
    const lists = ['one', 'two', 'three'].map((name) => rig.send({ places: [place('a', name)] }));
    expect((await Promise.all(lists)).map(({ status }) => status)).toEqual([200, 200, 200]);
    const records = await rig.queue.drain();
    expect(records.map(({ attributes }) => attributes.MessageGroupId)).toEqual([
      'bars-of-moscow',
      'bars-of-moscow',
      'bars-of-moscow',
    ]);
  });
});

describe('a list', () => {
  test('that does not fit into a message travels in rows, which expire after the queue has lost the message', async () => {
    // A hexadecimal digit takes a byte but holds half a byte of information, so gzip halves the text.
    const digits = (n: number) => createHash('shake256', { outputLength: 400 }).update(`${n}`).digest('hex');
    const list = Array.from({ length: 2_000 }, (_, n) => place(`p${n}`, 'Cafe', digits(n)));
    const { body } = await rig.send({ places: list });
    const parts = (await rig.table.rows()).filter(({ pk }) =>
      String(pk).startsWith('LIST#bars-of-moscow#uuid-1#'),
    );
    expect(parts.map(({ pk }) => String(pk).slice(-6))).toEqual(
      expect.arrayContaining(['000000', '000001', '000002']),
    );
    expect(new Set(parts.map(({ expiresAt }) => expiresAt))).toEqual(new Set([noon / 1_000 + 5 * 86_400]));
    const [record] = await rig.queue.drain();
    if (!record) throw new Error('no message was sent');
    expect(record.body.length).toBeLessThan(1_000);
    await rig.deliver([record]);
    expect(body).toEqual({ sessionId: 'uuid-1' });
    expect(await rig.session('uuid-1')).toMatchObject({
      status: 'FINISHED',
      counts: counts({ received: 2_000, added: 2_000 }),
    });
  });

  test.each(['before its writes', 'between its writes and its end'])(
    'whose worker died %s counts what it does, once',
    async (when) => {
      await rig.sync([place('gone'), place('stays')]);
      await rig.send({ places: [place('stays'), place('new')] });
      const records = await rig.queue.drain();
      const died = () => Promise.reject(new Error('the function died here'));
      const dying =
        when === 'before its writes'
          ? processSync({ ...rig, places: { ...rig.places, apply: died } })
          : processSync({ ...rig, sessions: { ...rig.sessions, end: died } });
      expect(await rig.deliver(records, 1, dying)).toHaveLength(1);
      const processed = counts({ received: 2, added: 1, unchanged: 1, removed: 1 });
      expect(await rig.session('uuid-2')).toMatchObject({ status: 'PROCESSING', counts: processed });
      await rig.deliver(records, 2);
      expect(await rig.session('uuid-2')).toMatchObject({ status: 'FINISHED', counts: processed });
      expect(await rig.stored()).toEqual([
        ['new', 'new'],
        ['stays', 'stays'],
      ]);
      const events = (await rig.table.rows()).filter(({ kind }) => kind === 'list.finished');
      expect(events.map(({ data }) => data)).toContainEqual(
        expect.objectContaining({ sessionId: 'uuid-2', added: 1, updated: 0, removed: 1 }),
      );
    },
  );

  test('whose request died after the message is processed all the same, and has a session', async () => {
    const died = () => Promise.reject(new Error('the function died here'));
    const start = startSync({ ...rig, sessions: { ...rig.sessions, begin: died } });
    expect((await call(start, { ...forBars, body: { places: [place('a')] } })).status).toBe(500);
    expect((await rig.get('uuid-1')).status).toBe(404);
    await rig.work();
    expect(await rig.session('uuid-1')).toMatchObject({ status: 'FINISHED', counts: { added: 1 } });
  });

  test('whose write got no response does not end before that write can no longer be made', async () => {
    await rig.send({ places: [place('a')] });
    const records = await rig.queue.drain();
    const { client } = rig.table;
    const { send } = client;
    let late: (() => Promise<unknown>) | undefined;
    const givenUp = async (command: object) => {
      if (late || !(command instanceof BatchWriteItemCommand)) return Reflect.apply(send, client, [command]);
      late = () => Reflect.apply(send, client, [command]);
      throw Object.assign(new Error('no response'), { name: 'TimeoutError' });
    };
    Object.assign(client, { send: givenUp });
    expect(await rig.deliver(records, 1)).toHaveLength(1);
    expect(await rig.stored()).toEqual([['a', 'a']]);
    expect(await rig.session('uuid-1')).toMatchObject({ status: 'PROCESSING' });
    await late?.();
    expect(await rig.deliver(records, 2)).toEqual([]);
    expect(await rig.session('uuid-1')).toMatchObject({ status: 'FINISHED', counts: { added: 1 } });
  });

  test('that fails comes back after seconds, then after minutes, before the queue would deliver it again', async () => {
    await rig.send({ places: [place('a')] });
    const changes: unknown[] = [];
    const client = { send: async ({ input }: { input: unknown }) => void changes.push(input) };
    const failing = processSync({ ...rig, queue: { url: 'places-sync', client: client as never } });
    const [record] = await rig.queue.drain();
    if (!record) throw new Error('no message was sent');
    const broken = [{ ...record, body: 'not yet readable' }];
    for (const receiveCount of [1, 2, 3, 4, 19])
      expect(await rig.deliver(broken, receiveCount, failing)).toEqual([record.messageId]);
    expect(changes).toMatchObject([
      { QueueUrl: 'places-sync', ReceiptHandle: record.receiptHandle, VisibilityTimeout: 30 },
      { VisibilityTimeout: 60 },
      { VisibilityTimeout: 120 },
      { VisibilityTimeout: 180 },
      { VisibilityTimeout: 180 },
    ]);
  });

  test('that is still being written when the time is over comes back soon too', async () => {
    await rig.send({ places: [place('a')] });
    const changes: unknown[] = [];
    const send = async ({ input }: { input: object }, { abortSignal }: { abortSignal?: AbortSignal }) => {
      abortSignal?.throwIfAborted();
      changes.push(input);
    };
    const client = abortingInTime({ send });
    const apply = () =>
      new Promise<never>((_, reject) => {
        timeIsOver()?.addEventListener('abort', () => reject(new Error('the call was ended')));
      });
    const places = { ...rig.places, apply };
    const slow = processSync({ ...rig, places, queue: { url: 'places-sync', client: client as never } });
    const end = Date.now() + 900;
    const event = redelivered(await rig.queue.drain(), 1);
    const { batchItemFailures } = await slow(event, { getRemainingTimeInMillis: () => end - Date.now() });
    expect(batchItemFailures).toHaveLength(1);
    expect(changes).toMatchObject([{ VisibilityTimeout: 30 }]);
  });

  test('rule 12: that fails every time ends with one error that asks for it again, and what is stored stays', async () => {
    await rig.sync([place('a')]);
    await rig.send({ places: [place('a', 'changed'), {}] });
    const records = await rig.queue.drain();
    const lines = collectLines();
    rig.clock.advance(2_500);
    expect(await rig.deliver(records, 1, rig.handlers.endFailed)).toEqual([]);
    const metrics = { SessionsFinished: 1, SessionSeconds: 2.5 };
    expect(lines).toMatchObject([{ partnerId: 'bars', sessionId: 'uuid-2', ...metrics }]);
    const failed = {
      sessionId: 'uuid-2',
      status: 'FINISHED',
      counts: counts({ received: 2 }),
      remarks: [],
      errors: [
        {
          place: {},
          description:
            'places: the list could not be processed, and a part of it may have been applied; send it again',
        },
      ],
    };
    expect(await rig.session('uuid-2')).toEqual(failed);
    expect(await rig.stored()).toEqual([['a', 'a']]);
    // An operator may move the message back to the queue.
    await rig.deliver(records, 1);
    expect(await rig.session('uuid-2')).toEqual(failed);
    expect(await rig.stored()).toEqual([['a', 'a']]);
  });

  test('that was done before it got to the dead letters makes no error there', async () => {
    await rig.send({ places: [place('a'), place('a', 'again')] });
    const records = await rig.queue.drain();
    await rig.deliver(records, 20);
    const done = await rig.get('uuid-1');
    const lines = collectLines();
    await rig.deliver(records, 1, rig.handlers.endFailed);
    expect(lines).toMatchObject([{ code: 'EndFailedSync', repeat: true }]);
    expect(await rig.get('uuid-1')).toEqual(done);
  });

  test('that nobody can read is parked with its reason', async () => {
    await rig.send({ places: [place('a')] });
    const [record] = await rig.queue.drain();
    if (!record) throw new Error('no message was sent');
    expect(await rig.deliver([{ ...record, body: '{"half' }], 1, rig.handlers.endFailed)).toEqual([]);
    expect(await rig.table.rows()).toContainEqual(
      expect.objectContaining({
        pk: 'PARKED#places-sync',
        sk: record.messageId,
        reason: 'not a list message',
        body: '{"half',
        parkedAt: rig.clock.now(),
        expiresAt: rig.clock.now() / 1_000 + 30 * 86_400,
      }),
    );
  });

  // SQS finds no other group behind 120,000 lists of one offer, which a partner could send in six hours.
  test('rule 48: that comes while 20 of its offer wait is refused until one of them is finished', async () => {
    const list = { places: [place('a')], dryRun: true };
    for (let n = 0; n < 20; n++) expect((await rig.send(list)).status).toBe(200);
    const lines = collectLines();
    expect(await rig.send(list)).toMatchObject({
      status: 429,
      headers: { 'retry-after': '30' },
      body: {
        status: 'REQUEST_LIMIT_EXCEEDED',
        errors: [
          'places: 20 lists of this offer are waiting, send this one again when one of them is FINISHED',
        ],
      },
    });
    expect(lines.at(-1)).toMatchObject({ callerId: 'bars', budget: 'waiting lists', OverBudget: 1 });
    const [first] = await rig.queue.drain();
    await rig.deliver(first ? [first] : []);
    expect((await rig.send(list)).status).toBe(200);
    expect((await rig.send(list)).status).toBe(429);
    // Messages that the queue has lost hold others back for as long as they could still be there.
    rig.clock.advance(days(4) - 1);
    expect((await rig.send(list)).status).toBe(429);
    rig.clock.advance(1);
    expect((await rig.send(list)).status).toBe(200);
  });

  test('that the queue does not take is refused, and has no session', async () => {
    const queue = { ...rig.queue, url: `${rig.queue.url}-gone` };
    expect(
      await call(startSync({ ...rig, queue }), { ...forBars, body: { places: [place('a')] } }),
    ).toMatchObject({
      status: 503,
      headers: { 'retry-after': '30' },
      body: { status: 'SYNC_UNAVAILABLE' },
    });
    expect((await rig.get('uuid-1')).status).toBe(404);
  });
});

describe('the body', () => {
  // "is not valid UTF-8; send UTF-8" sent people to look at their letters.
  test.each(['application/octet-stream', 'application/json'])(
    'rule 7: that is gzipped as %s and does not say so is told what to send',
    async (contentType) => {
      const body = gzipSync(JSON.stringify({ places: [place('кафе')] }));
      const headers = { ...forBars.headers, 'content-type': contentType };
      // A gateway passes the second on as a text.
      const sent = contentType === 'application/json' ? body.toString() : body;
      expect(await rig.send(sent, { headers })).toMatchObject(
        refusal(
          400,
          'REQUEST_INVALID',
          'body: is gzipped; send content-encoding: gzip, and content-type: application/octet-stream',
        ),
      );
    },
  );

  test('rule 13: may have 4.7 MB of gzip, or as much plain JSON as fits when its quotes are escaped', async () => {
    // Bodies of these sizes are read. They are refused only because they are not valid gzip or JSON.
    expect(await rig.sendGzipped(Buffer.alloc(4_700_000))).toMatchObject(
      refusal(400, 'REQUEST_INVALID', 'body: is not valid gzip; gzip it, or leave content-encoding out'),
    );
    for (const plain of ['"'.repeat(3_133_333), 'x'.repeat(6_266_666), '"'.repeat(3_000_000)])
      expect((await rig.send(plain)).status).toBe(400);
    expect((await rig.send('x'.repeat(6_266_667))).status).toBe(413);
  });

  test('may begin with a byte order mark, however it comes', async () => {
    const list = `\ufeff${JSON.stringify({ places: [place('a')] })}`;
    for (const body of [list, Buffer.from(list)]) expect((await rig.send(body)).status).toBe(200);
    expect((await rig.sendGzipped(list)).status).toBe(200);
  });

  test.each(['application/json; charset=windows-1251', 'application/json;Charset="KOI8-R"'])(
    'rule 7: of type %s is refused with 415',
    async (contentType) => {
      const headers = { ...forBars.headers, 'content-type': contentType };
      expect(await rig.send({ places: [place('a')] }, { headers })).toMatchObject(
        refusal(415, 'CHARSET_UNSUPPORTED', expect.stringMatching(/ is not supported, send UTF-8$/)),
      );
    },
  );

  test('with dryRun in the query is refused: a sync that was meant to be dry is none', async () => {
    expect(await rig.send({ places: [place('a')] }, { query: { dryRun: 'true' } })).toMatchObject(
      refusal(400, 'REQUEST_INVALID', 'dryRun: unknown here, send dryRun in the body'),
    );
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
    ['no places', {}, {}, 'places: required'],
    [
      'no place at all',
      { places: [] },
      {},
      'places: must have at least 1 element; to remove all service points, send none with "confirmRemovals": true',
    ],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), {}, 'body: is not valid UTF-8; send UTF-8'],
  ])('with %s is refused with 400 and a sentence', async (_what, body, headers, sentence) => {
    expect(await rig.send(body, { headers: { ...forBars.headers, ...headers } })).toMatchObject(
      refusal(400, 'REQUEST_INVALID', sentence),
    );
  });
});
