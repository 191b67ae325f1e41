import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { registerCheckIn } from '../../../functions/check-ins/register-check-in.ts';
import { partner } from '../../../shared/partners/callers.ts';
import { fail } from '../../../shared/platform/http/failures.ts';
import { httpHandler, ok, operation } from '../../../shared/platform/http/http-handler.ts';
import { idempotencyStore } from '../../../shared/platform/http/idempotency.ts';
import { deleteAll } from '../../../shared/platform/table/batches.ts';
import { idempotencyKey } from '../../../shared/platform/table/row-keys/requests.ts';
import { updateRow } from '../../../shared/platform/table/rows.ts';
import { noon } from '../../support/clock.ts';
import { failingCommand } from '../../support/failing-command.ts';
import { bakery, bars, call, invalid } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { type Call, interceptCalls, justBefore } from '../../support/intercept-calls.ts';
import { checkInRig } from '../check-ins/check-in-rig.ts';

const rig = inEachTest(checkInRig);

function keyed(key: string, offerid = 'bars-of-moscow') {
  return { headers: { offerid, 'idempotency-key': key } };
}

describe('rule 5: an Idempotency-Key', () => {
  test('in quotes is the same key as without: an equal request gets the first response', async () => {
    await rig.opened('card-1');
    const first = await rig.register(1, keyed('a"b\\c'));
    rig.clock.advance(60_000);
    const second = await rig.register(1, keyed('"a\\"b\\\\c"'));
    expect(second).toMatchObject({ status: 200, body: first.body });
    expect(second.headers).toMatchObject({ 'idempotent-replayed': 'true' });
  });

  /** Sends with a key and gets back what was sent: random letters, which take three quarters of their length as gzip. */
  function echo(key: string, text: z.ZodMiniType<string> = z.string()) {
    const op = operation({
      id: 'Echo',
      route: 'POST /echo',
      caller: partner([]),
      body: z.object({ text }),
      bodyLimit: { gunzippedBytes: 1_000_000 },
      response: z.object({ text: z.string() }),
    });
    const handler = httpHandler(op, rig.deps, async ({ body }) => ok(body));
    return (text: string) =>
      call(handler, { partner: bars, body: { text }, headers: { 'idempotency-key': key } });
  }

  const send = (text: string) => echo('k1')(text);
  const large = randomBytes(3_000).toString('base64');

  /** What a request costs that meets the key's row: a conditional write that fails costs as much as one of the row. */
  async function unitsOfRow(key: string) {
    rig.table.units();
    const unchanged = {
      Key: idempotencyKey({ callerId: 'bars', operation: 'Echo', key }),
      UpdateExpression: 'SET fingerprint = fingerprint',
    };
    await updateRow(rig.table, unchanged);
    return rig.table.units().write;
  }

  test('costs one write unit when it is used again, whatever fills the row of the key', async () => {
    const text = randomBytes(1_000).toString('base64');
    for (let letters = 300; letters < 900; letters += 20) {
      const key = `${letters}${'k'.repeat(100)}`;
      await echo(key)(text.slice(0, letters));
      expect(await unitsOfRow(key)).toBe(1);
    }
  });

  test('of a request that died between the two rows of its response is continued by the next', async () => {
    const dies = failingCommand(rig.table.client, 'UpdateItemCommand');
    expect((await send(large)).status).toBe(200);
    dies.remove();
    expect((await send(large)).status).toBe(409);
    rig.clock.advance(60_000);
    expect(await send(large)).toMatchObject({ status: 200, body: { text: large } });
    expect(await send(large)).toMatchObject({
      body: { text: large },
      headers: { 'idempotent-replayed': 'true' },
    });
  });

  test('whose large response is kept in a row of its own is kept 24 hours', async () => {
    await send(large);
    const rows = await rig.table.rows('IDEM#');
    expect(rows.map(({ sk, expiresAt }) => [String(sk).slice(0, 9), expiresAt])).toEqual([
      ['-', 1_779_364_800],
      ['RESPONSE#', 1_779_364_800],
    ]);
    rig.clock.advance(86_400_000 - 1);
    expect((await send(large)).headers).toMatchObject({ 'idempotent-replayed': 'true' });
    rig.clock.advance(1);
    expect((await send('another body')).body).toEqual({ text: 'another body' });
  });

  test('whose large response was erased just before the key named it is refused with 409 once, and continued by the next', async () => {
    await send(large);
    const [, response] = (await rig.table.rows('IDEM#')).map(({ pk, sk }) => ({
      pk: String(pk),
      sk: String(sk),
    }));
    await deleteAll(rig.table, response ? [response] : []);
    expect(await send(large)).toMatchObject({ status: 409, body: { status: 'REQUEST_IN_PROGRESS' } });
    expect(await send(large)).toMatchObject({ status: 200, body: { text: large } });
    expect((await send(large)).headers).toMatchObject({ 'idempotent-replayed': 'true' });
  });

  test('with another body, or for another offer, is refused with 422', async () => {
    await rig.opened('card-1');
    await rig.register(1, keyed('k1'));
    const reused = { status: 422, body: { status: 'IDEMPOTENCY_KEY_REUSED' } };
    expect(await rig.register(2, keyed('k1'))).toMatchObject(reused);
    expect(await rig.register(1, keyed('k1', 'bars-of-tver'))).toMatchObject(reused);
  });

  test('gets what was accepted, also when the rules are stricter by now', async () => {
    const strict = z.string().check(z.maxLength(3));
    const body = { text: 'Кофе' };
    expect((await echo('k1')('Кофе')).body).toEqual(body);
    expect((await echo('k1', strict)('Кофе')).body).toEqual(body);
    expect((await echo('k2', strict)('Кофе')).status).toBe(400);
    expect((await echo('k2')('Кофе')).body).toEqual(body);
  });

  test('whose first request is still running is refused with 409 until it is done', async () => {
    await rig.opened('card-1');
    const [started, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const redeem: typeof rig.checkIns.redeem = async (...args) => {
      started.resolve();
      await finished.promise;
      return rig.checkIns.redeem(...args);
    };
    const slow = registerCheckIn({ ...rig.deps, checkIns: { ...rig.checkIns, redeem } });
    const first = call(slow, { partner: bars, ...keyed('k1'), body: { checkinNumber: 1 } });
    await started.promise;
    expect(await rig.register(1, keyed('k1'))).toMatchObject({
      status: 409,
      headers: { 'retry-after': '1' },
      body: { status: 'REQUEST_IN_PROGRESS' },
    });
    finished.resolve();
    expect((await first).status).toBe(200);
    expect((await rig.register(1, keyed('k1'))).status).toBe(200);
  });

  test('is found again by the request that wrote it, when the SDK repeats a write whose response was lost', async () => {
    const request = { callerId: 'bars', operation: 'SendMessage', key: 'k1' };
    const begin = (requestId: string, fingerprint = 'f') =>
      idempotencyStore(rig.table).begin({ ...request, requestId, fingerprint }, rig.clock.now(), 29_000);
    for (const _write of ['made', 'repeated'])
      expect(await begin('first')).toEqual({ token: 'first', beganAt: noon });
    rig.clock.advance(29_000);
    // The first has died. What was meant with its key may be something else now, and is refused.
    expect(await begin('another', 'g')).toMatchObject({ failure: 'IDEMPOTENCY_KEY_REUSED' });
    for (const _write of ['made', 'repeated'])
      expect(await begin('second')).toEqual({ token: 'first', beganAt: noon });
    expect(await begin('third')).toMatchObject({ failure: 'REQUEST_IN_PROGRESS' });
  });

  test('whose first request was only late is not taken over: its response came just before', async () => {
    const store = idempotencyStore(rig.table);
    const request = { callerId: 'bars', operation: 'SendMessage', key: 'k1', fingerprint: 'f' };
    const first = { ...request, requestId: 'first' };
    await store.begin(first, noon, 29_000);
    const late = { statusCode: 200, headers: {}, body: '{"late":true}' };
    let puts = 0;
    const isTakingOver = ({ name }: Call) => name === 'PutItemCommand' && ++puts === 2;
    justBefore(rig.table.client, isTakingOver, () => store.keep(first, late, noon + 29_000));
    const second = await store.begin({ ...request, requestId: 'second' }, noon + 29_000, 29_000);
    expect(second).toMatchObject({ statusCode: 200, body: late.body });
  });

  test('of a request that failed is open for the next one before the caller learns of it', async () => {
    const [reached, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const end = interceptCalls(rig.table.client, async ({ name, input }, make) => {
      if (name !== 'UpdateItemCommand' || !input.Key.pk.startsWith('IDEM#')) return make();
      reached.resolve();
      await held.promise;
      return make();
    });
    const checkIns = { ...rig.checkIns, redeem: () => Promise.reject(new Error('no table')) };
    const broken = registerCheckIn({ ...rig.deps, checkIns });
    let isAnswered = false;
    const response = call(broken, { partner: bars, ...keyed('k1'), body: { checkinNumber: 1 } });
    void response.then(() => (isAnswered = true));
    await reached.promise;
    for (let n = 0; n < 20; n++) await setImmediate();
    expect(isAnswered).toBe(false);
    held.resolve();
    expect((await response).status).toBe(500);
    end();
  });

  test('is not freed by the refusal of a repeat whose first request died: that one may have had effects', async () => {
    const op = operation({
      id: 'Send',
      route: 'POST /send',
      caller: partner([]),
      body: z.object({}),
      response: z.object({}),
      failures: ['TOO_MANY_REQUESTS'],
    });
    const tokens: unknown[] = [];
    const send = httpHandler(op, rig.deps, async ({ operationToken }) => {
      tokens.push(operationToken);
      if (tokens.length === 1) throw new Error('killed after its work');
      return tokens.length === 2 ? fail('TOO_MANY_REQUESTS', 'the limit is reached') : ok({});
    });
    const request = { partner: bars, body: {}, headers: { 'idempotency-key': 'k1' } };
    expect((await call(send, request)).status).toBe(500);
    expect((await call(send, request)).status).toBe(429);
    expect((await call(send, request)).status).toBe(200);
    expect(tokens).toEqual([tokens[0], tokens[0], tokens[0]]);
  });

  test('of a refused request may be used again: nothing was done', async () => {
    expect((await rig.register(1, keyed('k1'))).status).toBe(404);
    expect((await rig.register('one', keyed('k1'))).status).toBe(400);
    await rig.opened('card-1');
    expect((await rig.register(1, keyed('k1'))).status).toBe(200);
  });

  test("of one caller is nobody else's, nor another operation's", async () => {
    await rig.opened('card-1');
    await rig.register(1, keyed('k1'));
    const opened = await rig.open('card-2', 'p1', 'bars-of-moscow', { headers: { 'idempotency-key': 'k1' } });
    expect(opened.status).toBe(200);
    const ofBakery = { partner: bakery, ...keyed('k1', 'bakery-club') };
    expect(await rig.register(1, ofBakery)).toMatchObject({ status: 404 });
  });

  test.each(['', '""', '"with space"', 'with space', 'x'.repeat(256), 'ключ'])(
    '%j is refused',
    async (key) => {
      expect(await rig.register(1, keyed(key))).toMatchObject(
        invalid('idempotency-key: must have 1 to 255 visible ASCII characters'),
      );
    },
  );
});
