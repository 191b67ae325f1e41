import { createHash } from 'node:crypto';
import type { SQSRecord } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { processSync } from '../../../functions/places/process-sync.ts';
import { startSync } from '../../../functions/places/start-sync.ts';
import { days } from '../../../shared/platform/runtime/clock.ts';
import { abortingInTime } from '../../../shared/platform/runtime/sdk-client.ts';
import { timeoutSignal } from '../../../shared/platform/runtime/time-left.ts';
import { noon } from '../../support/clock.ts';
import { call, forBars, refusal } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { interceptCalls } from '../../support/intercept-calls.ts';
import { collectLines } from '../../support/log-lines.ts';
import { redelivered } from '../../support/queue.ts';
import { shownEvents } from '../../support/shown-events.ts';
import { counts, place, type SyncRig, syncRig } from './sync-rig.ts';

const rig = inEachTest(syncRig);

function died() {
  return Promise.reject(new Error('the function died here'));
}

describe('a list', () => {
  test('that does not fit into a message travels in rows, which expire after the queue has lost the message', async () => {
    // A hexadecimal digit takes a byte but holds half a byte of information, so gzip halves the text.
    const digits = (n: number) => createHash('shake256', { outputLength: 400 }).update(`${n}`).digest('hex');
    const list = Array.from({ length: 2_000 }, (_, n) => place(`p${n}`, 'Cafe', digits(n)));
    const { body } = await rig.send({ places: list });
    const parts = await rig.table.rows('LIST#bars-of-moscow#uuid-1#');
    expect(parts.map(({ pk }) => String(pk).slice(-6))).toEqual(
      expect.arrayContaining(['000000', '000001', '000002']),
    );
    expect(new Set(parts.map(({ expiresAt }) => expiresAt))).toEqual(new Set([noon / 1_000 + 5 * 86_400]));
    const [record] = (await rig.queue.drain()) as [SQSRecord];
    expect(record.body.length).toBeLessThan(1_000);
    await rig.deliver([record]);
    expect(body).toEqual({ sessionId: 'uuid-1' });
    expect(await rig.session('uuid-1')).toMatchObject({
      status: 'FINISHED',
      counts: counts({ received: 2_000, added: 2_000 }),
    });
  });

  const half: SyncRig['places']['apply'] = async (offerId, { put }) => {
    await rig.places.apply(offerId, { put: put.slice(0, 1), remove: [] });
    return died();
  };

  test.each([
    ['before its writes', () => ({ places: { ...rig.places, apply: died } })],
    ['within its writes', () => ({ places: { ...rig.places, apply: half } })],
    ['between its writes and its end', () => ({ sessions: { ...rig.sessions, end: died } })],
  ])('rule 57: whose worker died %s counts and names what it does, once', async (_when, dyingPart) => {
    await rig.sync([place('gone'), place('stays', 'old')]);
    await rig.send({ places: [place('stays'), { ...place('new'), more: 1 }] });
    const records = await rig.queue.drain();
    const dying = processSync({ ...rig, ...dyingPart() });
    expect(await rig.deliver(records, 1, dying)).toHaveLength(1);
    const processed = counts({ received: 2, added: 1, updated: 1, removed: 1 });
    expect(await rig.session('uuid-2')).toMatchObject({ status: 'PROCESSING', counts: processed });
    await rig.deliver(records, 2);
    const updated = [{ itemId: 'stays', members: ['name'] }];
    expect(await rig.session('uuid-2')).toMatchObject({
      ...{ status: 'FINISHED', counts: processed },
      changes: { added: ['new'], removed: ['gone'], updated },
      remarks: [{ code: 'MEMBER_UNKNOWN', count: 1 }],
    });
    expect(await rig.stored()).toEqual([
      ['new', 'new'],
      ['stays', 'stays'],
    ]);
    const data = { offerId: 'bars-of-moscow', sessionId: 'uuid-2', added: 1, updated: 1, removed: 1 };
    expect(await shownEvents(rig)).toContainEqual({ kind: 'list.finished', by: 'bars', data });
  });

  test('whose write got no response does not end before that write can no longer be made', async () => {
    await rig.send({ places: [place('a')] });
    const records = await rig.queue.drain();
    let late: (() => Promise<unknown>) | undefined;
    interceptCalls(rig.table.client, ({ name }, make) => {
      if (late || name !== 'BatchWriteItemCommand') return make();
      late = make;
      throw Object.assign(new Error('no response'), { name: 'TimeoutError' });
    });
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
    const [record] = (await rig.queue.drain()) as [SQSRecord];
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
        timeoutSignal()?.addEventListener('abort', () => reject(new Error('the call was ended')));
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
    const data = { offerId: 'bars-of-moscow', sessionId: 'uuid-2' };
    expect((await shownEvents(rig))[0]).toEqual({ kind: 'list.failed', by: 'bars', data });
    // An operator may move the message back to the queue.
    await rig.deliver(records, 1);
    expect(await rig.session('uuid-2')).toEqual(failed);
    expect(await rig.stored()).toEqual([['a', 'a']]);
  });

  test('whose session was never begun ends with an error all the same', async () => {
    const begin = () => Promise.reject(new Error('died'));
    const start = startSync({ ...rig, sessions: { ...rig.sessions, begin } });
    await call(start, { ...forBars, body: { places: [place('a')] } });
    await rig.deliver(await rig.queue.drain(), 1, rig.handlers.endFailed);
    expect(await rig.session('uuid-1')).toMatchObject({ status: 'FINISHED', errors: [{}] });
  });

  test('that was done before it came again, or got to the dead letters, stays as it was', async () => {
    await rig.send({ places: [place('a'), place('a', 'again')] });
    const records = await rig.queue.drain();
    const lines = collectLines();
    await rig.deliver(records, 20);
    const done = await rig.get('uuid-1');
    await rig.deliver(records, 21);
    await rig.deliver(records, 1, rig.handlers.endFailed);
    expect(lines[0]).not.toHaveProperty('Failed');
    expect(lines.map(({ code, repeat }) => repeat && code).join(' ')).toBe('  ProcessSync EndFailedSync');
    expect(await rig.get('uuid-1')).toEqual(done);
  });

  test('that nobody can read is parked with its reason', async () => {
    await rig.send({ places: [place('a')] });
    const [record] = (await rig.queue.drain()) as [SQSRecord];
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
    const sentence =
      'places: 20 lists of this offer are waiting, send this one again when one of them is FINISHED';
    expect(await rig.send(list)).toMatchObject({
      ...refusal(429, 'REQUEST_LIMIT_EXCEEDED', sentence),
      headers: { 'retry-after': '30' },
    });
    expect(lines.at(-1)).toMatchObject({ callerId: 'bars', budget: 'waiting lists', OverBudget: 1 });
    const [first] = (await rig.queue.drain()) as [SQSRecord];
    await rig.deliver([first]);
    expect((await rig.send(list)).status).toBe(200);
    expect((await rig.send(list)).status).toBe(429);
    // Messages that the queue has lost hold others back for as long as they could still be there.
    rig.clock.advance(days(4) - 1);
    expect((await rig.send(list)).status).toBe(429);
    expect(await rig.session('uuid-2')).toMatchObject({ status: 'PROCESSING' });
    rig.clock.advance(1);
    const description = expect.stringContaining('the list could not be processed');
    expect(await rig.session('uuid-2')).toMatchObject({ status: 'FINISHED', errors: [{ description }] });
    expect((await rig.send(list)).status).toBe(200);
  });

  test('that the queue does not take is refused, and has no session', async () => {
    const queue = { ...rig.queue, url: `${rig.queue.url}-gone` };
    const lines = collectLines();
    const response = await call(startSync({ ...rig, queue }), { ...forBars, body: { places: [place('a')] } });
    expect(response).toMatchObject(refusal(503, 'SYNC_UNAVAILABLE'));
    expect(response.headers).toMatchObject({ 'retry-after': '30' });
    // For alarms and the rule that rolls back it is a failure.
    const failed = { Failed: 1, status: '500', partnerId: 'bars', notTaken: 'QueueDoesNotExist' };
    expect(lines).toMatchObject([{ refusal: 'SYNC_UNAVAILABLE', ...failed }]);
    expect((await rig.get('uuid-1')).status).toBe(404);
  });
});

test('rule 5: a list whose request died has one session, so that its repetition does not undo a newer list', async () => {
  const request = {
    ...forBars,
    headers: { ...forBars.headers, 'idempotency-key': 'k1' },
    body: { places: [place('a')] },
  };
  const start = startSync({ ...rig, sessions: { ...rig.sessions, begin: died } });
  expect((await call(start, request)).status).toBe(500);
  const first = await rig.queue.drain();
  const { sessionId } = JSON.parse(first[0]?.body ?? '');
  expect((await rig.get(sessionId)).status).toBe(404);
  await rig.deliver(first);
  await rig.sync([place('b')]);

  rig.clock.advance(60_000);
  expect(await call(rig.handlers.start, request)).toMatchObject({ status: 200, body: { sessionId } });
  // The queue drops the second message for five minutes. A later one finds the session finished.
  expect(await rig.queue.drain()).toEqual([]);
  await rig.deliver(first);
  expect(await rig.stored()).toEqual([['b', 'b']]);
  expect(await rig.session(sessionId)).toMatchObject({ status: 'FINISHED', counts: { added: 1 } });
  expect(await rig.sessions.newest('bars-of-moscow', 5, rig.clock.now())).toHaveLength(2);

  // The next request under another key has a session of its own.
  const other = { ...request, headers: { ...request.headers, 'idempotency-key': 'k2' } };
  expect((await call(rig.handlers.start, other)).body).not.toEqual({ sessionId });
});
