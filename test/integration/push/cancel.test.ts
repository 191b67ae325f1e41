import { beforeEach, describe, expect, test } from 'vitest';
import { fanOutStates } from '../../../functions/callbacks/fan-out-states.ts';
import { endpointStore } from '../../../shared/callbacks/endpoint/endpoint-store.ts';
import type { RowKey } from '../../../shared/platform/table/row-keys/row-key.ts';
import { putRow } from '../../../shared/platform/table/rows.ts';
import { noon } from '../../support/clock.ts';
import { failingCommand } from '../../support/failing-command.ts';
import { bakery, bars, refusal, respond } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { collectLines } from '../../support/log-lines.ts';
import { newQueue } from '../../support/queue.ts';
import { streamRecord } from '../../support/stream-record.ts';
import { content, numbers, pushRig, type Sent } from './push-rig.ts';

const rig = inEachTest(pushRig);
beforeEach(async () => {
  await rig.createPartner();
});

const from = Date.parse('2026-05-20T12:10:00Z');
const deliverFrom = '2026-05-20T15:10:00+03:00';
const scheduled = { ...content, qos: { deliverFrom } };
/** The same time as a deadline. */
const due = { ...content, qos: { deliverDue: deliverFrom } };

/** Sends to `count` numbers, of which the first ones are registered. The id of its first message comes along. */
async function send(count: number, body: object = content, registered = count) {
  await rig.register(...numbers(registered));
  const sent = await rig.sent.bulk(numbers(count), body);
  return { sent, messageId: sent[0]?.messageId ?? '' };
}

async function single(body: object = content): Promise<Sent> {
  await rig.register(...numbers(1));
  return rig.sent.single(79_000_000_000, body);
}

/** Asks to cancel a message or its send, and returns the body of the response. */
async function cancelled(message: Sent | string | undefined, of: 'message' | 'send') {
  return (await rig.cancel(typeof message === 'string' ? message : (message?.messageId ?? ''), of)).body;
}

function dueRows() {
  return rig.rowsUnder('DEADLINE#');
}

async function release() {
  rig.clock.set(from + 20_000);
  await rig.endPassed();
}

const away = { send: () => Promise.reject(new Error('no response')) };

describe('rule 54: POST /push/{messageId}/cancel', () => {
  test('has no dry run, and says so before it takes anything back', async () => {
    const { sent, messageId } = await send(2, scheduled);
    expect(await rig.cancel(messageId, 'send', { body: { of: 'send', dryRun: true } })).toMatchObject(
      refusal(400, 'REQUEST_INVALID', 'dryRun: taking back has no dry run, leave it out'),
    );
    expect(await rig.reached(sent[0])).toEqual(['SCHEDULED']);
  });

  test('needs `of`, and knows only messages of its own partner', async () => {
    await rig.createPartner('bakery', bakery);
    const { messageId } = await send(2);
    const errors = ['of: required'];
    expect((await rig.cancel(messageId, undefined)).body).toEqual({ status: 'REQUEST_INVALID', errors });
    expect((await rig.cancel(messageId, 'all')).status).toBe(400);
    const notFound = { status: 404, body: { status: 'MESSAGE_NOT_FOUND' } };
    for (const of of ['message', 'send']) {
      expect(await rig.cancel(messageId, of, { partner: bakery })).toMatchObject(notFound);
      for (const id of ['no-id', `${messageId.slice(0, -4)}0002`, '5f0c1b9e-7a52-4c0e-9a1c-2f6f7f0f7d11'])
        expect(await rig.cancel(id, of)).toMatchObject(notFound);
    }
  });
});

describe('rule 54: before its release', () => {
  test('a single message is cancelled at once, for good, and a repeat answers the same', async () => {
    const sent = await single(scheduled);
    const { messageId } = sent;
    rig.clock.advance(1_500);
    for (const of of ['message', 'send', 'message'] as const)
      expect(await cancelled(sent, of)).toEqual({ messageId, of, recipients: 1 });
    expect(await rig.statesOf(messageId)).toEqual([
      'SCHEDULED 2026-05-20T15:00:00+0300',
      'CANCELLED 2026-05-20T15:00:01+0300',
    ]);
    await release();
    expect([await rig.handedOver(), await rig.askedBack(), await dueRows()]).toEqual([[], [], []]);
    expect(await rig.reached(sent)).toEqual(['SCHEDULED,CANCELLED']);
    expect((await rig.report(messageId)).body).toMatchObject({ scheduled: 0, cancelled: 1 });
  });

  test('a whole send is cancelled at once, and its messages become CANCELLED by the worker', async () => {
    const { sent } = await send(3, scheduled, 2);
    const { messageId = '' } = sent[1] ?? {};
    rig.clock.advance(1_500);
    for (const _repeat of [1, 2]) {
      expect(await cancelled(messageId, 'send')).toEqual({ messageId, of: 'send', recipients: 2 });
      rig.clock.advance(60_000);
    }
    expect(await rig.work()).toHaveLength(1);
    const states = ['SCHEDULED,CANCELLED', 'SCHEDULED,CANCELLED', 'MSISDN_NOT_REGISTERED'];
    expect(await rig.reached(...sent)).toEqual(states);
    const times = { deliverFrom: '2026-05-20T12:10:00.000Z', cancelledAt: '2026-05-20T12:00:01.500Z' };
    expect((await rig.sends()).body).toMatchObject({ sends: [times] });
    expect(await dueRows()).toEqual([]);
    await release();
    expect(await rig.handedOver()).toEqual([]);
    const counts = { notRegistered: 1, scheduled: 0, cancelled: 2 };
    expect((await rig.report(messageId)).body).toMatchObject({ ...times, ...counts });
  });

  test('a request whose queue does not respond succeeds, because the sweep finds the send', async () => {
    const { messageId } = await send(2, scheduled);
    Object.assign(rig.deadlinesQueue.client, away);
    const lines = collectLines();
    expect((await rig.cancel(messageId, 'send')).status).toBe(200);
    expect(lines).toMatchObject([{ messageId, of: 'send', recipients: 2, waitsForSweep: 'NotAllSent' }]);
    expect(await dueRows()).toMatchObject([{ dueAt: noon, cancelRequestId: expect.any(String) }]);
  });

  test('one message of a send is left out when the others are handed over', async () => {
    const { sent } = await send(45, scheduled);
    const taken = [sent[3]?.messageId ?? '', sent[44]?.messageId ?? ''];
    for (const messageId of [...taken, ...taken])
      expect(await cancelled(messageId, 'message')).toEqual({ messageId, of: 'message', recipients: 1 });
    expect((await rig.report(taken[0] ?? '')).body).toMatchObject({ scheduled: 43, cancelled: 2 });
    const events = (await rig.table.rows()).filter(({ kind }) => kind === 'send.cancelled');
    expect(events).toHaveLength(2);
    await release();
    const others = sent.map(({ messageId }) => messageId).filter((id) => !taken.includes(id));
    expect((await rig.handedOver()).sort()).toEqual(others.sort());
    expect(await rig.reached(sent[3], sent[4])).toEqual(['SCHEDULED,CANCELLED', 'SCHEDULED,ENQUEUED']);
    expect(await rig.askedBack()).toEqual([]);
  });

  test('a message of a send that is taken back between its time and the release was cancelled at its time', async () => {
    const { sent } = await send(2, scheduled);
    rig.clock.set(from + 3_000);
    await cancelled(sent[0], 'message');
    await release();
    expect(await rig.handedOver()).toEqual([sent[1]?.messageId]);
    expect(await rig.statesOf(sent[0]?.messageId ?? '')).toEqual([
      'SCHEDULED 2026-05-20T15:00:00+0300',
      'CANCELLED 2026-05-20T15:10:00+0300',
    ]);
  });

  test('a message whose number is not registered is no recipient', async () => {
    const { sent } = await send(2, scheduled, 1);
    expect(await cancelled(sent[1], 'message')).toMatchObject({ recipients: 0 });
    expect(await rig.reached(sent[1])).toEqual(['MSISDN_NOT_REGISTERED']);
  });

  test('what one message was cancelled at stays when the whole send is cancelled', async () => {
    const { sent, messageId } = await send(2, scheduled);
    await cancelled(messageId, 'message');
    rig.clock.advance(5_000);
    await cancelled(messageId, 'send');
    await rig.work();
    const [first, second] = await Promise.all(sent.map((one) => rig.statesOf(one.messageId)));
    expect(first?.at(-1)).toBe('CANCELLED 2026-05-20T15:00:00+0300');
    expect(second?.at(-1)).toBe('CANCELLED 2026-05-20T15:00:05+0300');
  });

  test('is not before the acceptance, though the clock of its instance is behind', async () => {
    const sent = await single(scheduled);
    rig.clock.advance(-3_000);
    await cancelled(sent, 'message');
    expect((await rig.statesOf(sent.messageId)).at(-1)).toBe('CANCELLED 2026-05-20T15:00:00+0300');
  });

  test('a worker that fails half way leaves the rest to the next one', async () => {
    const { sent, messageId } = await send(50, scheduled);
    await cancelled(messageId, 'send');
    const dies = failingCommand(rig.table.client, 'UpdateItemCommand', 2);
    await expect(rig.work()).rejects.toThrow('the worker failed');
    dies.remove();
    rig.clock.advance(60_000);
    await rig.endPassed();
    expect(new Set(await rig.reached(...sent))).toEqual(new Set(['SCHEDULED,CANCELLED']));
    expect(await dueRows()).toEqual([]);
  });
});

describe('rule 54: what was handed over', () => {
  test('is asked back from the wallet platform, but for what was opened, and ends by its receipt', async () => {
    const { sent, messageId } = await send(4, content, 3);
    const [opened, delivered, enqueued] = sent;
    await rig.handedOver();
    await rig.reports([opened, delivered], 'DELIVERED', '2026-05-20T12:00:03Z');
    await rig.reports([opened], 'OPENED', '2026-05-20T12:00:05Z');
    rig.clock.advance(10_000);
    const requestId = 'the request to cancel';
    expect((await rig.cancel(messageId, 'send', { requestId })).body).toMatchObject({ recipients: 3 });
    await rig.work();
    const messageIds = [delivered?.messageId, enqueued?.messageId];
    expect(await rig.askedBack()).toEqual([{ partnerId: 'bars', requestId, messageIds }]);
    expect(await dueRows()).toEqual([]);
    expect(await rig.reached(opened, delivered, enqueued)).toEqual([
      'ENQUEUED,DELIVERED,OPENED',
      'ENQUEUED,DELIVERED',
      'ENQUEUED',
    ]);
    await rig.reports([delivered, enqueued, enqueued], 'CANCELLED', '2026-05-20T12:00:12Z');
    const ended = ['ENQUEUED,DELIVERED,CANCELLED', 'ENQUEUED,CANCELLED'];
    expect(await rig.reached(delivered, enqueued)).toEqual(ended);
    expect((await rig.report(messageId)).body).toMatchObject({
      cancelledAt: '2026-05-20T12:00:10.000Z',
      ...{ enqueued: 0, delivered: 0, opened: 1, cancelled: 2, notRegistered: 1 },
    });
    // Asked once: a repeat answers the same, and asks nothing back again.
    expect(await cancelled(messageId, 'send')).toMatchObject({ recipients: 3 });
    expect(await rig.work()).toEqual([]);
  });

  test('is asked back message by message too, each time as long as it is not opened', async () => {
    const [, second] = (await send(2)).sent;
    const one = await single();
    for (const { messageId } of [second as Sent, second as Sent, one, one])
      expect(await cancelled(messageId, 'message')).toEqual({ messageId, of: 'message', recipients: 1 });
    expect((await rig.askedBack()).map(({ messageIds }) => messageIds)).toEqual(
      [second, second, one, one].map((message) => [message?.messageId]),
    );
    await rig.reports([one], 'OPENED', '2026-05-20T12:00:05Z');
    expect(await cancelled(one, 'send')).toMatchObject({ recipients: 1 });
    expect(await rig.askedBack()).toEqual([]);
  });

  test('is not asked back again once it is cancelled, or with its send', async () => {
    const one = await single();
    await rig.reports([one], 'CANCELLED', '2026-05-20T12:00:05Z');
    await cancelled(one, 'message');
    const { messageId } = await send(2);
    await cancelled(messageId, 'send');
    expect(await cancelled(messageId, 'message')).toMatchObject({ recipients: 1 });
    expect(await rig.askedBack()).toEqual([]);
  });

  test('counts the recipients of a send that an earlier version stored without their number', async () => {
    const { messageId } = await send(3, content, 2);
    const [head] = await rig.heads();
    const { registeredCount: _lacks, ...earlier } = head ?? {};
    await putRow(rig.table, earlier as RowKey);
    expect(await cancelled(messageId, 'send')).toMatchObject({ recipients: 2 });
  });

  test('is not answered with 200 if the queue did not take the request', async () => {
    const one = await single();
    Object.assign(rig.cancellations.client, away);
    expect((await rig.cancel(one.messageId, 'message')).status).toBe(500);
  });

  test('is asked back in batches of 1,000 ids', async () => {
    const { sent, messageId } = await send(2_100);
    await cancelled(messageId, 'send');
    await rig.work();
    const asked = (await rig.askedBack()).map(({ messageIds }) => messageIds);
    expect(asked.map(({ length }) => length).sort()).toEqual([100, 1_000, 1_000]);
    expect(asked.flat().sort()).toEqual(sent.map((one) => one.messageId).sort());
  });

  test('that expired stays expired, and what was opened is recorded whenever it is reported', async () => {
    const { sent, messageId } = await send(3, due);
    await release();
    await cancelled(messageId, 'send');
    await rig.work();
    // A phone may show what was reported so late that it expired.
    expect((await rig.askedBack())[0]?.messageIds).toHaveLength(3);
    await rig.reports(sent, 'CANCELLED', '2026-05-20T12:10:22Z');
    await rig.reports([sent[2]], 'OPENED', '2026-05-20T12:09:00Z');
    const states = ['ENQUEUED,EXPIRED', 'ENQUEUED,EXPIRED', 'ENQUEUED,OPENED,EXPIRED'];
    expect(await rig.reached(...sent)).toEqual(states);
    expect((await rig.report(messageId)).body).toMatchObject({ expired: 2, opened: 1, cancelled: 0 });
  });

  test('keeps its deadline, and what was cancelled does not expire', async () => {
    const { sent, messageId } = await send(2, due);
    await cancelled(messageId, 'send');
    await rig.work();
    expect(await dueRows()).toMatchObject([{ dueAt: from }]);
    await rig.reports([sent[0]], 'CANCELLED', '2026-05-20T12:00:02Z');
    await release();
    expect(await rig.reached(...sent)).toEqual(['ENQUEUED,CANCELLED', 'ENQUEUED,EXPIRED']);
    expect(await dueRows()).toEqual([]);
  });

  test('is asked back by the next worker if the queue took nothing from the first one', async () => {
    const { messageId } = await send(2);
    await cancelled(messageId, 'send');
    const { client } = rig.cancellations;
    const { send: take } = client;
    Object.assign(client, away);
    await expect(rig.work()).rejects.toThrow('the worker failed');
    expect(await dueRows()).toMatchObject([{ cancelRequestId: expect.any(String) }]);
    Object.assign(client, { send: take });
    rig.clock.advance(60_000);
    await rig.endPassed();
    expect((await rig.askedBack()).map(({ messageIds }) => messageIds.length)).toEqual([2]);
  });

  test('keeps the earliest deadline of the messages that no phone has reported', async () => {
    await rig.register(...numbers(3));
    const times = ['12:05', '12:20', '12:10', '12:30'];
    const sent = await rig.sent.multi(
      times.map((time, n) => {
        const qos = { deliverDue: `2026-05-20T${time}:00Z` };
        return { ...content, qos, msisdn: numbers(3)[n % 3] };
      }),
    );
    await rig.reports(sent.slice(0, 1), 'DELIVERED', '2026-05-20T12:00:03Z');
    await cancelled(sent[0], 'send');
    await rig.work();
    expect(await dueRows()).toMatchObject([{ dueAt: from }]);
  });
});

test('rule 54: CANCELLED is called back once, to partners that want callbacks, and not after EXPIRED', async () => {
  const body = { ...scheduled, qos: { deliverFrom, deliveryStatusNotifications: true } };
  const { sent, messageId } = await send(2, body);
  await cancelled(messageId, 'send');
  await rig.work();
  const queue = await newQueue();
  const fanOut = fanOutStates({ ...rig.deps, endpoints: endpointStore(rig.table), queue });
  const [row] = await rig.rowsUnder('STATES#');
  await fanOut({ Records: [streamRecord({ ...row, e1: 1 })] });
  const messages = (await queue.drain()).map(({ body: text }) => JSON.parse(text));
  expect(messages.flatMap(({ callbacks }) => callbacks)).toMatchObject([
    { messageId, state: 'CANCELLED' },
    { messageId: sent[1]?.messageId, state: 'EXPIRED' },
  ]);
});

test('rule 54: the report says how fast messages were delivered and opened, and by hour', async () => {
  const { sent, messageId } = await send(20, scheduled);
  await release();
  await rig.reports(sent.slice(0, 18), 'DELIVERED', '2026-05-20T12:10:25Z');
  await rig.reports(sent.slice(18, 19), 'DELIVERED', '2026-05-20T12:12:20Z');
  await rig.reports(sent.slice(0, 3), 'OPENED', '2026-05-20T13:00:00Z');
  await rig.reports(sent.slice(3, 4), 'OPENED', '2026-05-23T12:00:00Z');
  await rig.reports(sent.slice(19), 'CANCELLED', '2026-05-20T12:13:00Z');
  expect((await rig.report(messageId)).body).toMatchObject({
    deliveredWithin: { p50Seconds: 5, p95Seconds: 120 },
    openedWithin: { p50Seconds: 2_980, p95Seconds: 258_580 },
    byHour: [
      { hour: '2026-05-20T12:00:00.000Z', delivered: 19, opened: 0 },
      { hour: '2026-05-20T13:00:00.000Z', delivered: 0, opened: 3 },
    ],
  });
  const headers = { accept: 'text/csv' };
  const csv = await respond(rig.handlers.report, { partner: bars, path: { messageId }, headers });
  const lines = csv.body.split('\r\n');
  expect([lines[1], lines[20]]).toEqual([
    `79000000000,${messageId},OPENED,2026-05-20T12:00:00Z,2026-05-20T12:10:25Z,2026-05-20T13:00:00Z,,`,
    `79000000019,${sent[19]?.messageId},CANCELLED,2026-05-20T12:00:00Z,,,,2026-05-20T12:13:00Z`,
  ]);
});
