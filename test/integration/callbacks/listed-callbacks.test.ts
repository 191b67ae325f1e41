import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type Endpoint, logByDefault } from '../../../shared/callbacks/endpoint/endpoint.ts';
import { eraseNumber } from '../../support/erase-number.ts';
import { bakery, refusal } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { collectLines } from '../../support/log-lines.ts';
import { readPages } from '../../support/read-pages.ts';
import { storeBulk } from '../../support/store-bulk.ts';
import { messageIdAt } from './kept-rows.ts';
import { partnerThatAnswers, reply } from './loopback-partner.ts';
import { selfServiceRig } from './self-service-rig.ts';

const rig = inEachTest(selfServiceRig);

const url = 'https://bars.example/callbacks';
describe('rule 33: callbacks that were not delivered at once', () => {
  const skip = async (count: number, idOf = (n: number) => `m${n}`) => {
    await rig.ask('put', { url });
    await rig.ask('disable');
    for (let n = 0; n < count; n++) {
      rig.clock.advance(1_000);
      await rig.change(idOf(n));
    }
    while ((await rig.work(rig.newWorker())).taken > 0);
  };

  test('are listed newest first, page by page, with their attempts', async () => {
    await skip(5);
    const disabled = { status: 'DISABLED', reason: 'by the partner', waiting: 0, skipped: 5 };
    expect((await rig.ask('get')).body).toMatchObject(disabled);
    const first = await rig.listed({ limit: '2' });
    expect(first.callbacks.map(({ messageId }) => messageId)).toEqual(['m4', 'm3']);
    const { callbacks, cursor } = await rig.listed({ limit: '3', cursor: first.cursor ?? '' });
    expect(callbacks.map(({ messageId }) => messageId)).toEqual(['m2', 'm1', 'm0']);
    expect(cursor).toBeUndefined();
    const m2 = { messageId: 'm2', msisdn: 79001234567, state: 'DELIVERED' };
    expect(callbacks[0]).toEqual({ ...m2, status: 'skipped', attempts: [], reason: 'disabled' });
    expect(await rig.listed({ status: 'failed' })).toEqual({ callbacks: [] });
    for (const query of [{}, { status: 'skipped' }])
      expect(await rig.listed({ messageId: 'm1', ...query })).toMatchObject({
        callbacks: [{ messageId: 'm1' }],
      });
    expect(await rig.listed({ messageId: 'm1', status: 'failed' })).toEqual({ callbacks: [] });
    expect((await rig.ask('list', undefined, { query: { cursor: 'x' } })).status).toBe(400);
    expect((await rig.ask('list', undefined, { partner: bakery })).body).toEqual({ callbacks: [] });
  });

  test('show when the next attempt is due, and what the last one was told, as a test does; no log line has it', async () => {
    const partner = await rig.endpointThatAnswers(500);
    partner.responses(reply(500, {}, 'secret sauce'));
    const lines = collectLines();
    await rig.change('m1');
    await rig.work();
    const told = { httpStatus: 500, error: 'status', response: 'secret sauce' };
    const attempts = [{ time: '2026-05-20T12:00:00.000Z', ...told }];
    const waiting = { status: 'waiting', attempts, nextAttemptAt: '2026-05-20T12:00:05.000Z' };
    expect((await rig.listed()).callbacks).toMatchObject([waiting]);
    expect((await rig.ask('test', { state: 'OPENED' })).body).toMatchObject({ response: 'secret sauce' });
    expect(JSON.stringify(lines)).not.toContain('secret sauce');
    expect(lines).toHaveLength(3);
  });

  test('are replayed in a range of times once the endpoint is enabled, and once under an Idempotency-Key', async () => {
    await skip(3, messageIdAt);
    const all = { status: 'skipped' };
    expect(await rig.ask('replay', all)).toMatchObject(refusal(409, 'ENDPOINT_DISABLED'));
    await rig.ask('enable');
    const inMoscow = (atMs: number) => new Date(atMs + 3 * 3_600_000).toISOString().replace('Z', '+03:00');
    const since = inMoscow(rig.clock.now() - 1_000);
    const until = inMoscow(rig.clock.now());
    expect(await rig.replayed({ ...all, since, until })).toEqual({ replayed: 1, more: false });
    const [waiting] = (await rig.listed({ status: 'waiting' })).callbacks;
    expect(waiting).toMatchObject({ messageId: messageIdAt(1) });
    expect(waiting).not.toHaveProperty('nextAttemptAt');
    for (const _repeat of [1, 2])
      expect((await rig.askUnder('k', 'replay', all)).body).toEqual({ replayed: 2, more: false });
  });

  test.each([
    [{}, 'body: needs either messageIds or a status'],
    [{ messageIds: [] }, 'messageIds: must have at least 1 element'],
    [
      { messageIds: [messageIdAt(0)], until: '2026-05-20T12:00:00Z' },
      'body: since and until go with a status, leave them out with messageIds',
    ],
    [
      { status: 'skipped', since: '2026-05-20T12:00:00Z', until: '2026-05-20T12:00:00Z' },
      'until: must be after since',
    ],
  ])('%j replays nothing', async (body, sentence) => {
    await rig.ask('put', { url });
    expect(await rig.ask('replay', body)).toMatchObject({ status: 400, body: { errors: [sentence] } });
  });
});

describe('rule 33: callbacks that were delivered at once', () => {
  /** Stores a bulk send whose messages are delivered, with an endpoint that takes the callbacks. */
  const deliver = async (count: number) => {
    const partner = await rig.endpointThatAnswers(200, { log: 'all' });
    const nowMs = rig.clock.now();
    const ids = await storeBulk(rig.table, count, { acceptedAt: nowMs });
    const found = await rig.messages.findMany(ids, nowMs);
    await rig.states.record(
      [...found.values()].map((message) => ({ message, state: 'DELIVERED' as const, atMs: nowMs })),
    );
    return { partner, ids };
  };

  test('are listed with their attempt for 3 days, beside the others, when the log is for all', async () => {
    const { ids } = await deliver(3);
    await rig.changeTogether(ids);
    await rig.work();
    rig.clock.advance(1_000);
    await rig.ask('disable');
    await rig.change('m1');
    await rig.work(rig.newWorker());
    const first = await rig.listed({ limit: '2' });
    expect(first.callbacks).toMatchObject([
      { messageId: 'm1', status: 'skipped' },
      { messageId: ids[2], status: 'delivered' },
    ]);
    const attempts = [{ time: '2026-05-20T12:00:00.000Z', httpStatus: 200, durationMs: expect.any(Number) }];
    const shown = { messageId: ids[1], msisdn: 79000000001, state: 'DELIVERED', status: 'delivered' };
    expect(await rig.listed({ cursor: first.cursor ?? '' })).toEqual({
      callbacks: [{ ...shown, attempts }, expect.objectContaining({ messageId: ids[0] })],
    });
    expect((await rig.listed({ status: 'delivered' })).callbacks).toHaveLength(3);
    expect((await rig.listed({ status: 'failed' })).callbacks).toEqual([]);
    expect((await rig.listed({ messageId: String(ids[1]) })).callbacks).toMatchObject([
      { msisdn: 79000000001 },
    ]);
    expect((await rig.listed({ messageId: String(ids[1]), status: 'failed' })).callbacks).toEqual([]);
    expect((await rig.ask('list', undefined, { partner: bakery })).body).toEqual({ callbacks: [] });
    rig.clock.advance(3 * 86_400_000);
    expect((await rig.listed({ status: 'delivered' })).callbacks).toEqual([]);
  });

  test('of an erased number are not shown: the log names no number', async () => {
    const { ids } = await deliver(3);
    await rig.changeTogether(ids);
    await rig.work();
    const log = await rig.table.rows('DELIVERED#');
    expect(gunzipSync(log[0]?.['packed'] as Uint8Array).toString()).not.toContain('7900000000');
    await eraseNumber(rig.table, 79_000_000_001);
    expect((await rig.listed()).callbacks.map(({ messageId }) => messageId)).toEqual([ids[2], ids[0]]);
  });

  test('are read page by page across messages of forty and of ten, all of one time, each once', async () => {
    const { ids } = await deliver(100);
    await rig.changeTogether(ids.slice(0, 40));
    for (let n = 40; n < 100; n += 10) await rig.changeTogether(ids.slice(n, n + 10));
    while ((await rig.work()).taken > 0);
    for (const limit of ['7', '20']) {
      const pages = await readPages((next) => rig.listed({ limit, ...next }));
      const listed = pages.flatMap(({ callbacks }) => callbacks.map(({ messageId }) => messageId));
      expect(listed).toEqual(ids.toReversed());
    }
  });

  test('are logged where the stage has it so, unless the endpoint says otherwise', async () => {
    const logs = async (log: Partial<Endpoint>) => {
      const partner = await partnerThatAnswers(200);
      await rig.saveEndpoint(partner.url, log);
      await rig.change('m1');
      rig.table.units();
      await rig.work(rig.newWorker({ logByDefault: logByDefault('simulated') }));
      return rig.table.units().write;
    };
    expect(await logs({})).toBe(1);
    expect(await logs({ log: 'failures' })).toBe(0);
    expect(logByDefault('real')).toBe('failures');
  });

  test('are not sent again when the log cannot be written', async () => {
    const { ids } = await deliver(2);
    await rig.changeTogether(ids);
    const add = () => Promise.reject(new Error('no answer'));
    const lines = collectLines();
    const { failed } = await rig.work(rig.newWorker({ delivered: { ...rig.delivered, add } }));
    expect(failed).toBe(0);
    expect(lines).toMatchObject([{ CallbacksDelivered: 2, notLogged: 'Error' }]);
    expect(rig.records()).toEqual([]);
  });
});
