import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { gzip } from '../../../shared/platform/runtime/gzip.ts';
import { deadlineShardOf, deadlineShards } from '../../../shared/platform/table/row-keys/push.ts';
import { putRow } from '../../../shared/platform/table/rows.ts';
import { diesAfterItsWork } from '../../support/dies-after-its-work.ts';
import { invalid } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { interceptCalls, justBefore } from '../../support/intercept-calls.ts';
import { collectLines } from '../../support/log-lines.ts';
import { sqsRecord } from '../../support/queue.ts';
import { content, numbers, other, phone, pushRig, type Sent } from './push-rig.ts';

const rig = inEachTest(() => pushRig(phone, other, ...numbers(9)));

const deadline = Date.parse('2026-05-20T12:10:00Z');
const withDeadline = { ...content, qos: { deliverDue: '2026-05-20T15:10:00+03:00' } };

function dueAt(deliverDue: unknown) {
  return { ...content, qos: { deliverDue } };
}

function sendTo(...msisdns: number[]): Promise<Sent[]> {
  return rig.sent.bulk(msisdns, withDeadline);
}

function statesOf(sent: readonly Sent[]): Promise<string[][]> {
  return Promise.all(sent.map(rig.statesOf));
}

async function deadlineRows(): Promise<unknown[]> {
  return (await rig.dueRows()).map((row) => row['dueAt']);
}

describe('rule 42: a deadline in a request', () => {
  test('that has passed is refused by all three sends, beside other errors in the order of the messages', async () => {
    const late = { ...dueAt('2026-05-20T12:00:00Z'), msisdn: phone };
    const sentence = 'qos.deliverDue: must be in the future';
    expect((await rig.single(late)).headers['x-error']).toBe(`REQUEST_INVALID; ${sentence}`);
    expect(await rig.bulk({ ...late, msisdn: [phone] })).toMatchObject(invalid(sentence));
    expect((await rig.multi([late, { ...content, msisdn: '7' }])).body).toMatchObject({
      errors: [`[0].${sentence}`, expect.stringMatching(/^\[1\]\.msisdn: /)],
    });
  });

  test.each([
    ['2026-05-20T15:10:00+03', '2026-05-20T15:10:00+03:00'],
    ['2026-05-20T08:40:00-0330', '2026-05-20T08:40:00-03:30'],
  ])('of %s is accepted, and reaches the wallet platform as %s', async (deliverDue, passedOn) => {
    await rig.sent.single(phone, dueAt(deliverDue));
    expect((await rig.outgoing()).map(({ qos }) => qos)).toEqual([{ deliverDue: passedOn }]);
  });

  test('that has passed does not matter to a repeat of a request that died after it had sent', async () => {
    const key = { headers: { 'idempotency-key': 'k' } };
    const request = { ...withDeadline, msisdn: phone };
    const first = await diesAfterItsWork(rig, () => rig.single(request, key));
    rig.clock.set(deadline + 60_000);
    const lines = collectLines();
    expect(await rig.single(request, key)).toMatchObject({ status: 200, body: first.body });
    expect(lines).toMatchObject([{ repeat: true }]);
    // A mistake elsewhere does not hide it.
    expect(await rig.single(request, { query: { dryRun: 'perhaps' } })).toMatchObject({
      status: 400,
      headers: { 'x-error': expect.stringMatching(/dryRun: .*qos.deliverDue: /) },
    });
  });
});

describe('rule 42: after its deadline', () => {
  test('a message of each kind of send ends once, and one without a deadline, or without a recipient, never', async () => {
    const single = await rig.sent.single(phone, withDeadline);
    const bulk = await rig.sent.bulk([phone, other, 79_000_000_009], withDeadline);
    const multi = await rig.sent.multi([withDeadline, content].map((one) => ({ ...one, msisdn: phone })));
    const without = await rig.sent.single(phone);
    rig.clock.set(deadline - 90_000);
    expect(await rig.endPassed()).toEqual([]);
    // The messages are delayed for 100 s, so that they arrive 10 s after the deadline.
    rig.clock.set(deadline + 9_999);
    expect(await rig.work()).toEqual([]);
    rig.clock.set(deadline + 10_000);
    expect(await rig.work()).toHaveLength(3);
    const expired = ['ENQUEUED 15:00:00', 'EXPIRED 15:10:00'];
    const enqueued = ['ENQUEUED 15:00:00'];
    const notSent = ['MSISDN_NOT_REGISTERED 15:00:00'];
    const states = [expired, expired, expired, notSent, expired, enqueued, enqueued];
    expect(await statesOf([single, ...bulk, ...multi, without])).toEqual(states);
    rig.clock.advance(60_000);
    expect(await rig.endPassed()).toEqual([]);
    expect(await deadlineRows()).toEqual([]);
  });

  test('nothing is handed to the wallet platform, also not from a backlog', async () => {
    await rig.sent.single(phone, withDeadline);
    await rig.sent.bulk([phone, other], withDeadline);
    const later = { ...dueAt('2026-05-20T12:11:00Z'), msisdn: other };
    await rig.sent.multi([{ ...withDeadline, msisdn: phone }, later]);
    rig.clock.set(deadline);
    const sent = await rig.outgoing();
    expect(sent.flatMap(({ messages }) => messages.map(({ msisdn }) => msisdn))).toEqual([other]);
    expect(sent[0]?.qos).toEqual({ deliverDue: '2026-05-20T12:11:00Z' });
  });

  test('nothing is handed over that the queue refused before it, and the others still are', async () => {
    await rig.sent.single(phone, withDeadline);
    const { messageId } = await rig.sent.single(phone);
    const busy = { name: 'ThrottlingException', $retryable: { throttling: true } };
    const taken = interceptCalls(rig.outbox.client, async () => {
      taken();
      rig.clock.set(deadline);
      throw Object.assign(new Error('busy'), busy);
    });
    expect(await rig.handedOver()).toEqual([messageId]);
  });

  test('a message of the queue that comes twice, late or for an unknown send does nothing, and nonsense is parked', async () => {
    const sent = await sendTo(phone, other);
    rig.clock.set(deadline + 60_000);
    const [message] = await rig.endPassed();
    const before = await statesOf(sent);
    const unknown = { sendIds: ['5f0c1b9e-7a52-4c0e-9a1c-2f6f7f0f7d11'] };
    const records = [message, message, unknown, 'nonsense', { sendIds: [] }].map((body) => sqsRecord(body));
    expect(await rig.handlers.advance({ Records: records })).toEqual({ batchItemFailures: [] });
    expect(await statesOf(sent)).toEqual(before);
    expect(await rig.parked()).toEqual(['not {"sendIds": [...]}', 'not {"sendIds": [...]}']);
  });

  test('a send whose row is damaged fails its message after all others are done', async () => {
    const sent = await Promise.all(numbers(9).map((msisdn) => rig.sent.single(msisdn, withDeadline)));
    await rig.damage(`${sent[4]?.messageId}`);
    rig.clock.set(deadline + 60_000);
    const lines = collectLines();
    const Records = [sqsRecord({ sendIds: sent.map(({ messageId }) => messageId) })];
    expect((await rig.handlers.advance({ Records })).batchItemFailures).toHaveLength(1);
    expect(lines).toMatchObject([{ partnerId: 'bars', failedSendIds: [sent[4]?.messageId] }]);
    const others = { movedOn: 0, released: 0, cancelled: 0, askedBack: 0 };
    expect(lines).toMatchObject([{ sends: 9, ended: 8, expired: 8, PushesExpired: 8, ...others }]);
    expect(await deadlineRows()).toHaveLength(1);
  });
});

test('a million single messages with one deadline are at most 1,000 a second for each key of the index', () => {
  const counts = new Map<string, number>();
  for (let n = 0; n < 100_000; n++) {
    const shard = deadlineShardOf(randomUUID());
    counts.set(shard, (counts.get(shard) ?? 0) + 1);
  }
  expect([...counts.keys()].sort()).toEqual([...deadlineShards].sort());
  // A run comes at most 65 s after the deadline, so 55 s of the two minutes are left.
  expect(Math.max(...counts.values()) * 10).toBeLessThan(55_000);
});

test('rule 42: the state EXPIRED is recorded once of each message that was neither delivered nor opened, with one write for 40', async () => {
  await rig.register(...numbers(80));
  const sent = await rig.sent.bulk(numbers(80));
  const [first, second] = sent;
  await rig.reports([first], 'DELIVERED', '2026-05-20T12:00:03Z');
  await rig.reports([second], 'OPENED', '2026-05-20T12:00:03Z');
  rig.table.units();
  expect(await rig.expire(sent, deadline)).toBe(78);
  expect(rig.table.units()).toMatchObject({ write: 2 });
  expect(await rig.expire(sent, deadline)).toBe(0);
  expect(rig.table.units()).toMatchObject({ write: 0 });
  const states = ['ENQUEUED,DELIVERED', 'ENQUEUED,OPENED', 'ENQUEUED,EXPIRED'];
  expect(await rig.reached(first, second, sent[79])).toEqual(states);
});

test.each(['DELIVERED', 'CANCELLED'])(
  'rule 42: the state EXPIRED is not recorded where %s came a moment before',
  async (state) => {
    const sent = await rig.sent.bulk([phone, other]);
    justBefore(
      rig.table.client,
      ({ input }) => Boolean(input.ConditionExpression?.includes('attribute_not_exists(d0)')),
      () => rig.reports(sent.slice(0, 1), state, '2026-05-20T12:00:03Z'),
    );
    expect(await rig.expire(sent, deadline)).toBe(1);
    expect(await rig.reached(...sent)).toEqual([`ENQUEUED,${state}`, 'ENQUEUED,EXPIRED']);
  },
);

test('a message that an earlier release accepted is read, whatever requests must satisfy now', async () => {
  const accepted = [await rig.sent.single(phone), ...(await rig.sent.multi([{ ...content, msisdn: phone }]))];
  const earlier = {
    pushType: 'SERVICE',
    payload: { title: 'Столик у окна на двоих сегодня вечером в восемь часов', message: '' },
    qos: { deliverDue: 'tomorrow', priority: 1 },
    utm: { utmSource: 'crm', n: 7 },
  };
  const stored = JSON.stringify(earlier);
  for (const row of await rig.table.rows()) {
    if (row['content']) await putRow(rig.table, { ...row, content: stored } as never);
    if (row['contents'])
      await putRow(rig.table, { ...row, contents: await gzip(JSON.stringify([earlier])) } as never);
  }
  const outgoing = await rig.outgoing();
  expect(outgoing.map(({ payload, qos, utm }) => ({ payload, qos, utm }))).toEqual(
    [1, 2].map(() => ({ payload: earlier.payload, qos: { priority: 1 }, utm: earlier.utm })),
  );
  await rig.reports(accepted, 'DELIVERED', '2026-05-20T12:00:03Z');
  expect(await rig.reached(...accepted)).toEqual(['ENQUEUED,DELIVERED', 'ENQUEUED,DELIVERED']);
  for (const { messageId } of accepted)
    expect(await rig.report(messageId)).toMatchObject({ status: 200, body: { delivered: 1 } });
});
