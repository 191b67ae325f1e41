import { beforeEach, describe, expect, test } from 'vitest';
import { fanOutStates } from '../../../functions/callbacks/fan-out-states.ts';
import { endpointStore } from '../../../shared/callbacks/endpoint/endpoint-store.ts';
import type { RowKey } from '../../../shared/platform/table/row-keys/row-key.ts';
import { putRow } from '../../../shared/platform/table/rows.ts';
import { noon } from '../../support/clock.ts';
import { failingCommand } from '../../support/failing-command.ts';
import { bakery, bars, respond } from '../../support/http.ts';
import { collectLines } from '../../support/log-lines.ts';
import { newQueue, sqsRecord } from '../../support/queue.ts';
import { content, pushRig, type Sent } from './push-rig.ts';

let rig: Awaited<ReturnType<typeof pushRig>>;
beforeEach(async () => {
  rig = await pushRig();
  await rig.createPartner();
});

const from = Date.parse('2026-05-20T12:10:00Z');
const deliverFrom = '2026-05-20T15:10:00+03:00';
const scheduled = { ...content, qos: { deliverFrom } };

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, n) => 79_000_000_000 + n);
}

async function send(count: number, body: object = content, registered = count): Promise<Sent[]> {
  await registerFirst(registered);
  return (await rig.bulk({ ...body, msisdn: numbers(count) })).body as Sent[];
}

async function registerFirst(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1_000) await rig.register(...numbers(count).slice(n, n + 1_000));
}

async function single(body: object = content): Promise<Sent> {
  await rig.register(...numbers(1));
  return (await rig.single({ ...body, msisdn: numbers(1)[0] })).body as Sent;
}

function receipts(messages: readonly (Sent | undefined)[], state: string, time: string) {
  const of = (sent: Sent | undefined) => ({ msisdn: 79_000_000_000, ...sent, state, time });
  return rig.receive({ receipts: messages.map(of) });
}

async function statesOf(...sent: readonly (Sent | undefined)[]): Promise<string[]> {
  const of = async (messageId = '') =>
    (await rig.statesOf(messageId)).map((line) => line.split(' ')[0]).join();
  return Promise.all(sent.map((message) => of(message?.messageId)));
}

async function dueRows() {
  return (await rig.table.rows()).filter(({ pk }) => String(pk).startsWith('DEADLINE#'));
}

async function release() {
  rig.clock.set(from + 20_000);
  await rig.endPassed();
}

async function handedOver(): Promise<string[]> {
  await rig.dispatch();
  return (await rig.outgoing()).flatMap(({ messages }) => messages.map(({ messageId }) => messageId));
}

describe('rule 54: POST /push/{messageId}/cancel', () => {
  test('has no dry run, and says so before it takes anything back', async () => {
    const [sent] = await send(2, scheduled);
    const { messageId = '' } = sent ?? {};
    expect(await rig.cancel(messageId, 'send', { body: { of: 'send', dryRun: true } })).toMatchObject({
      status: 400,
      body: { errors: ['dryRun: taking back has no dry run, leave it out'] },
    });
    expect(await statesOf(sent)).toEqual(['SCHEDULED']);
  });

  test('needs `of`, and knows only messages of its own partner', async () => {
    const [sent] = await send(2);
    const { messageId = '' } = sent ?? {};
    expect((await rig.cancel(messageId, undefined)).body).toEqual({
      status: 'REQUEST_INVALID',
      errors: ['of: required'],
    });
    expect((await rig.cancel(messageId, 'all')).status).toBe(400);
    for (const of of ['message', 'send']) {
      expect((await rig.cancel(messageId, of, { partner: bakery })).status).not.toBe(200);
      for (const id of ['no-id', `${messageId.slice(0, -4)}0002`, '5f0c1b9e-7a52-4c0e-9a1c-2f6f7f0f7d11'])
        expect(await rig.cancel(id, of)).toMatchObject({
          status: 404,
          body: { status: 'MESSAGE_NOT_FOUND' },
        });
    }
  });

  test('is refused to a key that has ended', async () => {
    const sent = await single();
    const partner = { ...bars, secretCreatedAt: 1 };
    expect(await rig.cancel(sent.messageId, 'message', { partner })).toMatchObject({ status: 403 });
    expect(await rig.askedBack()).toEqual([]);
  });
});

describe('rule 54: before its release', () => {
  test('a single message is cancelled at once, for good, and a repeat answers the same', async () => {
    const sent = await single(scheduled);
    rig.clock.advance(1_500);
    for (const of of ['message', 'send', 'message'])
      expect(await rig.cancel(sent.messageId, of)).toMatchObject({
        status: 200,
        body: { messageId: sent.messageId, of, recipients: 1 },
      });
    expect(await rig.statesOf(sent.messageId)).toEqual([
      'SCHEDULED 2026-05-20T15:00:00+0300',
      'CANCELLED 2026-05-20T15:00:01+0300',
    ]);
    await release();
    expect(await handedOver()).toEqual([]);
    expect(await rig.askedBack()).toEqual([]);
    expect(await statesOf(sent)).toEqual(['SCHEDULED,CANCELLED']);
    expect(await dueRows()).toEqual([]);
    expect((await rig.report(sent.messageId)).body).toMatchObject({ scheduled: 0, cancelled: 1 });
  });

  test('a whole send is cancelled at once, and its messages become CANCELLED by the worker', async () => {
    const sent = await send(3, scheduled, 2);
    const { messageId = '' } = sent[1] ?? {};
    rig.clock.advance(1_500);
    expect((await rig.cancel(messageId, 'send')).body).toEqual({ messageId, of: 'send', recipients: 2 });
    rig.clock.advance(60_000);
    expect((await rig.cancel(messageId, 'send')).body).toEqual({ messageId, of: 'send', recipients: 2 });
    expect(await rig.work()).toHaveLength(1);
    expect(await statesOf(...sent)).toEqual([
      'SCHEDULED,CANCELLED',
      'SCHEDULED,CANCELLED',
      'MSISDN_NOT_REGISTERED',
    ]);
    expect((await rig.sends()).body).toMatchObject({
      sends: [{ deliverFrom: '2026-05-20T12:10:00.000Z', cancelledAt: '2026-05-20T12:00:01.500Z' }],
    });
    expect(await dueRows()).toEqual([]);
    await release();
    expect(await handedOver()).toEqual([]);
    expect((await rig.report(messageId)).body).toMatchObject({
      cancelledAt: '2026-05-20T12:00:01.500Z',
      notRegistered: 1,
      scheduled: 0,
      cancelled: 2,
    });
  });

  test('a send is cancelled within a minute if the message to the worker is lost', async () => {
    const sent = await send(2, scheduled);
    await rig.cancel(sent[0]?.messageId ?? '', 'send');
    rig.deadlinesQueue.arrived();
    rig.clock.advance(60_000);
    await rig.endPassed();
    expect(await statesOf(...sent)).toEqual(['SCHEDULED,CANCELLED', 'SCHEDULED,CANCELLED']);
  });

  test('a request whose queue does not respond succeeds, because the sweep finds the send', async () => {
    const sent = await send(2, scheduled);
    Object.assign(rig.deadlinesQueue.client, { send: () => Promise.reject(new Error('no response')) });
    const lines = collectLines();
    const { messageId } = sent[0] ?? {};
    expect((await rig.cancel(messageId ?? '', 'send')).status).toBe(200);
    expect(lines).toMatchObject([{ messageId, of: 'send', recipients: 2, waitsForSweep: 'NotAllSent' }]);
    expect(await dueRows()).toMatchObject([{ dueAt: noon, cancelRequestId: expect.any(String) }]);
  });

  test('one message of a send is left out when the others are handed over', async () => {
    const sent = await send(45, scheduled);
    const [one, , another] = [sent[3], sent[4], sent[44]];
    for (const message of [one, another]) {
      const { messageId = '' } = message ?? {};
      for (const _repeat of [1, 2])
        expect((await rig.cancel(messageId, 'message')).body).toEqual({
          messageId,
          of: 'message',
          recipients: 1,
        });
    }
    expect((await rig.report(one?.messageId ?? '')).body).toMatchObject({ scheduled: 43, cancelled: 2 });
    const events = (await rig.table.rows()).filter(({ kind }) => kind === 'send.cancelled');
    expect(events.map(({ data }) => data)).toHaveLength(2);
    await release();
    const ids = await handedOver();
    expect(ids).toHaveLength(43);
    expect(ids).not.toContain(one?.messageId);
    expect(ids).not.toContain(another?.messageId);
    expect(await statesOf(one, sent[4])).toEqual(['SCHEDULED,CANCELLED', 'SCHEDULED,ENQUEUED']);
    expect(await rig.askedBack()).toEqual([]);
    // Two rows of states are read beside the part, because the send has the mark.
    const head = (await rig.table.rows()).find(({ sk }) => sk === 'PAYLOAD') ?? {};
    rig.table.units();
    await rig.handlers.dispatch({ Records: [rig.inserted(head, 0)] });
    expect(rig.table.units()).toEqual({ read: 3, write: 0, calls: 2 });
  });

  test('a message whose number is not registered is no recipient', async () => {
    const sent = await send(2, scheduled, 1);
    const { messageId = '' } = sent[1] ?? {};
    expect((await rig.cancel(messageId, 'message')).body).toMatchObject({ recipients: 0 });
    expect(await statesOf(sent[1])).toEqual(['MSISDN_NOT_REGISTERED']);
  });

  test('what one message was cancelled at stays when the whole send is cancelled', async () => {
    const sent = await send(2, scheduled);
    await rig.cancel(sent[0]?.messageId ?? '', 'message');
    rig.clock.advance(5_000);
    await rig.cancel(sent[0]?.messageId ?? '', 'send');
    await rig.work();
    const times = await Promise.all(
      sent.map(async ({ messageId }) => (await rig.statesOf(messageId)).at(-1)),
    );
    expect(times).toEqual(['CANCELLED 2026-05-20T15:00:00+0300', 'CANCELLED 2026-05-20T15:00:05+0300']);
  });

  test('is not before the acceptance, though the clock of its instance is behind', async () => {
    const sent = await single(scheduled);
    rig.clock.advance(-3_000);
    await rig.cancel(sent.messageId, 'message');
    expect(await rig.statesOf(sent.messageId)).toEqual([
      'SCHEDULED 2026-05-20T15:00:00+0300',
      'CANCELLED 2026-05-20T15:00:00+0300',
    ]);
  });

  test('a worker that dies half way leaves the rest to the next one', async () => {
    const sent = await send(50, scheduled);
    await rig.cancel(sent[0]?.messageId ?? '', 'send');
    const dies = failingCommand(rig.table.client, 'UpdateItemCommand', 2);
    await expect(rig.work()).rejects.toThrow('the worker failed');
    dies.remove();
    rig.clock.advance(60_000);
    await rig.endPassed();
    expect(new Set(await statesOf(...sent))).toEqual(new Set(['SCHEDULED,CANCELLED']));
    expect(await dueRows()).toEqual([]);
  });
});

describe('rule 54: what was handed over', () => {
  test('is asked back from the wallet platform, but for what was opened, and ends by its receipt', async () => {
    const sent = await send(4, content, 3);
    await handedOver();
    await receipts([sent[0], sent[1]], 'DELIVERED', '2026-05-20T12:00:03Z');
    await receipts([sent[0]], 'OPENED', '2026-05-20T12:00:05Z');
    const { messageId = '' } = sent[0] ?? {};
    rig.clock.advance(10_000);
    const requestId = 'the request to cancel';
    expect((await rig.cancel(messageId, 'send', { requestId })).body).toMatchObject({ recipients: 3 });
    await rig.work();
    expect(await rig.askedBack()).toEqual([
      { partnerId: 'bars', requestId, messageIds: [sent[1]?.messageId, sent[2]?.messageId] },
    ]);
    expect(await dueRows()).toEqual([]);
    expect(await statesOf(...sent.slice(0, 3))).toEqual([
      'ENQUEUED,DELIVERED,OPENED',
      'ENQUEUED,DELIVERED',
      'ENQUEUED',
    ]);
    await receipts([sent[1], sent[2], sent[2]], 'CANCELLED', '2026-05-20T12:00:12Z');
    expect(await statesOf(sent[1], sent[2])).toEqual(['ENQUEUED,DELIVERED,CANCELLED', 'ENQUEUED,CANCELLED']);
    expect((await rig.report(messageId)).body).toMatchObject({
      cancelledAt: '2026-05-20T12:00:10.000Z',
      enqueued: 0,
      delivered: 0,
      opened: 1,
      cancelled: 2,
      notRegistered: 1,
    });
    // Asked once: a repeat answers the same, and asks nothing back again.
    expect((await rig.cancel(messageId, 'send')).body).toMatchObject({ recipients: 3 });
    expect(await rig.work()).toEqual([]);
  });

  test('is asked back message by message too, each time as long as it is not opened', async () => {
    const sent = await send(2);
    const one = await single();
    for (const { messageId } of [sent[1] as Sent, one])
      for (const _repeat of [1, 2])
        expect((await rig.cancel(messageId, 'message')).body).toEqual({
          messageId,
          of: 'message',
          recipients: 1,
        });
    expect((await rig.askedBack()).map(({ messageIds }) => messageIds)).toEqual(
      [sent[1], sent[1], one, one].map((message) => [message?.messageId]),
    );
    await receipts([one], 'OPENED', '2026-05-20T12:00:05Z');
    expect((await rig.cancel(one.messageId, 'send')).body).toMatchObject({ recipients: 1 });
    expect(await rig.askedBack()).toEqual([]);
  });

  test('is not asked back again once it is cancelled, or with its send', async () => {
    const one = await single();
    await receipts([one], 'CANCELLED', '2026-05-20T12:00:05Z');
    await rig.cancel(one.messageId, 'message');
    const [first] = await send(2);
    await rig.cancel(first?.messageId ?? '', 'send');
    expect((await rig.cancel(first?.messageId ?? '', 'message')).body).toMatchObject({ recipients: 1 });
    expect(await rig.askedBack()).toEqual([]);
  });

  test('counts the recipients of a send that an earlier version stored without their number', async () => {
    const [first] = await send(3, content, 2);
    const [head] = (await rig.table.rows()).filter(({ sk }) => sk === 'PAYLOAD');
    const { registeredCount: _lacks, ...earlier } = head ?? {};
    await putRow(rig.table, earlier as RowKey);
    expect((await rig.cancel(first?.messageId ?? '', 'send')).body).toMatchObject({ recipients: 2 });
  });

  test('is not answered with 200 if the queue did not take the request', async () => {
    const one = await single();
    Object.assign(rig.cancellations.client, { send: () => Promise.reject(new Error('no response')) });
    expect((await rig.cancel(one.messageId, 'message')).status).toBe(500);
  });

  test('is asked back in batches of 1,000 ids', async () => {
    const sent = await send(2_100);
    await rig.cancel(sent[0]?.messageId ?? '', 'send');
    await rig.work();
    const asked = await rig.askedBack();
    expect(asked.map(({ messageIds }) => messageIds.length).sort()).toEqual([100, 1_000, 1_000]);
    expect(new Set(asked.flatMap(({ messageIds }) => messageIds))).toEqual(
      new Set(sent.map(({ messageId }) => messageId)),
    );
  });

  test('that expired stays expired, and what was opened is recorded whenever it is reported', async () => {
    const due = { ...content, qos: { deliverDue: deliverFrom } };
    const sent = await send(3, due);
    rig.clock.set(from + 20_000);
    await rig.endPassed();
    await rig.cancel(sent[0]?.messageId ?? '', 'send');
    await rig.work();
    // A phone may show what was reported so late that it expired.
    expect((await rig.askedBack())[0]?.messageIds).toHaveLength(3);
    await receipts(sent, 'CANCELLED', '2026-05-20T12:10:22Z');
    await receipts([sent[2]], 'OPENED', '2026-05-20T12:09:00Z');
    expect(await statesOf(...sent)).toEqual([
      'ENQUEUED,EXPIRED',
      'ENQUEUED,EXPIRED',
      'ENQUEUED,OPENED,EXPIRED',
    ]);
    expect((await rig.report(sent[0]?.messageId ?? '')).body).toMatchObject({
      expired: 2,
      opened: 1,
      cancelled: 0,
    });
  });

  test('keeps its deadline, and what was cancelled does not expire', async () => {
    const due = { ...content, qos: { deliverDue: deliverFrom } };
    const sent = await send(2, due);
    await rig.cancel(sent[0]?.messageId ?? '', 'send');
    await rig.work();
    expect(await dueRows()).toMatchObject([{ dueAt: from }]);
    await receipts([sent[0]], 'CANCELLED', '2026-05-20T12:00:02Z');
    rig.clock.set(from + 20_000);
    await rig.endPassed();
    expect(await statesOf(...sent)).toEqual(['ENQUEUED,CANCELLED', 'ENQUEUED,EXPIRED']);
    expect(await dueRows()).toEqual([]);
  });

  test('keeps the earliest deadline of the messages that no phone has reported', async () => {
    await rig.register(...numbers(3));
    const messages = ['12:05', '12:20', '12:10'].map((time, n) => ({
      ...content,
      qos: { deliverDue: `2026-05-20T${time}:00Z` },
      msisdn: numbers(3)[n],
    }));
    const sent = (await rig.multi(messages)).body as Sent[];
    await receipts(sent.slice(0, 1), 'DELIVERED', '2026-05-20T12:00:03Z');
    await rig.cancel(sent[0]?.messageId ?? '', 'send');
    await rig.work();
    expect(await dueRows()).toMatchObject([{ dueAt: from }]);
  });

  test('is asked back by the next worker if the queue took nothing from the first one', async () => {
    const sent = await send(2);
    await rig.cancel(sent[0]?.messageId ?? '', 'send');
    const { client } = rig.cancellations;
    const take = client.send;
    Object.assign(client, { send: () => Promise.reject(new Error('no response')) });
    await expect(rig.work()).rejects.toThrow('the worker failed');
    expect(await dueRows()).toMatchObject([{ cancelRequestId: expect.any(String) }]);
    Object.assign(client, { send: take });
    rig.clock.advance(60_000);
    await rig.endPassed();
    expect((await rig.askedBack()).map(({ messageIds }) => messageIds.length)).toEqual([2]);
  });

  test('is taken back too when the request comes while a worker looks at its deadline', async () => {
    const due = { ...content, qos: { deliverDue: deliverFrom } };
    const sent = await send(2, due);
    const { messageId = '' } = sent[0] ?? {};
    rig.clock.set(from + 20_000);
    const { client } = rig.table;
    const make = client.send.bind(client) as (command: unknown) => Promise<unknown>;
    let raced = false;
    Object.assign(client, {
      send: async (command: { constructor: { name: string } }) => {
        if (command.constructor.name === 'DeleteCommand' && !raced) {
          raced = true;
          await rig.cancel(messageId, 'send');
        }
        return make(command);
      },
    });
    await rig.handlers.advance({ Records: [sqsRecord({ sendIds: [messageId.slice(0, -4)] })] });
    expect(raced).toBe(true);
    expect(await dueRows()).toMatchObject([{ cancelRequestId: expect.any(String) }]);
    await rig.work();
    expect(await rig.askedBack()).toHaveLength(1);
    expect(await dueRows()).toEqual([]);
  });
});

/** Releases and cancels scheduled sends at the same moment, and returns who won each race. */
async function race(rounds: number): Promise<Record<string, number>> {
  const won: Record<string, number> = { released: 0, cancelled: 0 };
  await rig.register(...numbers(2));
  for (let n = 0; n < rounds; n++) {
    const at = new Date(rig.clock.now() + 1_000).toISOString();
    const body = { ...content, qos: { deliverFrom: at } };
    const isSingle = n % 3 === 0;
    const messageIds = isSingle
      ? [((await rig.single({ ...body, msisdn: numbers(1)[0] })).body as Sent).messageId]
      : ((await rig.bulk({ ...body, msisdn: numbers(2) })).body as Sent[]).map(({ messageId }) => messageId);
    const [messageId = ''] = messageIds;
    const sendId = isSingle ? messageId : messageId.slice(0, -4);
    rig.clock.advance(10_000);
    const work = rig.handlers.advance({ Records: [sqsRecord({ sendIds: [sendId] })] });
    const cancel = rig.cancel(messageId, n % 2 === 0 ? 'send' : 'message');
    expect([(await work).batchItemFailures, (await cancel).status]).toEqual([[], 200]);
    await rig.work();
    rig.clock.advance(60_000);
    const [head] = (await rig.table.rows()).filter(
      ({ pk, sk }) => ['MESSAGE', 'PAYLOAD'].includes(String(sk)) && String(pk).endsWith(sendId),
    );
    const asked = (await rig.askedBack()).flatMap((message) => message.messageIds);
    await rig.handlers.dispatch({ Records: head?.['toDispatch'] ? [rig.inserted(head, 0)] : [] });
    const outgoing = (await rig.outgoing()).flatMap(({ messages }) => messages.map((one) => one.messageId));
    const states = await statesOf({ messageId } as Sent);
    // Either it was handed over, and asked back; or it was cancelled, and neither.
    if (outgoing.includes(messageId)) {
      expect(asked).toContain(messageId);
      expect(states).toEqual(['SCHEDULED,ENQUEUED']);
      won['released'] = (won['released'] ?? 0) + 1;
    } else {
      expect(asked).toEqual([]);
      expect(states).toEqual(['SCHEDULED,CANCELLED']);
      won['cancelled'] = (won['cancelled'] ?? 0) + 1;
    }
    for (const row of await rig.table.rows())
      if (/^(BULK|MSG|STATES|SENDS|RATE)#/.test(String(row['pk']))) await rig.remove(row);
  }
  return won;
}

test('rule 54: of release and cancellation at once exactly one wins', async () => {
  const rounds = Number(process.env['RACES'] ?? 30);
  const won = await race(rounds);
  expect((won['released'] ?? 0) + (won['cancelled'] ?? 0)).toBe(rounds);
  if (rounds > 100) console.log(won);
}, 600_000);

test('rule 54: CANCELLED is called back once, to partners that want callbacks, and not after EXPIRED', async () => {
  const body = { ...scheduled, qos: { deliverFrom, deliveryStatusNotifications: true } };
  const sent = await send(2, body);
  await rig.cancel(sent[0]?.messageId ?? '', 'send');
  await rig.work();
  const queue = await newQueue();
  const fanOut = fanOutStates({ ...rig.deps, endpoints: endpointStore(rig.table), queue });
  const [row] = (await rig.table.rows()).filter(({ pk }) => String(pk).startsWith('STATES#'));
  await fanOut({ Records: [rig.inserted({ ...row, e1: 1 }, 0)] });
  const messages = (await queue.drain()).map(({ body: text }) => JSON.parse(text));
  expect(messages.flatMap(({ callbacks }) => callbacks)).toMatchObject([
    { messageId: sent[0]?.messageId, state: 'CANCELLED' },
    { messageId: sent[1]?.messageId, state: 'EXPIRED' },
  ]);
});

test('rule 54: the report says how fast messages were delivered and opened, and by hour', async () => {
  const sent = await send(20, scheduled);
  await release();
  await receipts(sent.slice(0, 18), 'DELIVERED', '2026-05-20T12:10:25Z');
  await receipts(sent.slice(18, 19), 'DELIVERED', '2026-05-20T12:12:20Z');
  await receipts(sent.slice(0, 3), 'OPENED', '2026-05-20T13:00:00Z');
  await receipts(sent.slice(3, 4), 'OPENED', '2026-05-23T12:00:00Z');
  await receipts(sent.slice(19), 'CANCELLED', '2026-05-20T12:13:00Z');
  const { messageId = '' } = sent[0] ?? {};
  const { body } = await rig.report(messageId);
  expect(body).toMatchObject({
    deliveredWithin: { p50Seconds: 5, p95Seconds: 120 },
    openedWithin: { p50Seconds: 2_980, p95Seconds: 258_580 },
    byHour: [
      { hour: '2026-05-20T12:00:00.000Z', delivered: 19, opened: 0 },
      { hour: '2026-05-20T13:00:00.000Z', delivered: 0, opened: 3 },
    ],
  });
  const csv = await respond(rig.handlers.report, {
    partner: bars,
    path: { messageId },
    headers: { accept: 'text/csv' },
  });
  const lines = csv.body.split('\r\n');
  expect(lines[20]).toBe(
    `79000000019,${sent[19]?.messageId},CANCELLED,2026-05-20T12:00:00Z,,,,2026-05-20T12:13:00Z`,
  );
  expect(lines.slice(0, 2)).toEqual([
    'msisdn,messageId,state,acceptedAt,deliveredAt,openedAt,expiredAt,cancelledAt',
    `79000000000,${messageId},OPENED,2026-05-20T12:00:00Z,2026-05-20T12:10:25Z,2026-05-20T13:00:00Z,,`,
  ]);
});

describe('rule 54: units of 10,000 that are cancelled', () => {
  test('are 250 writes of states before the release, and ten messages in one request to the queue after it', async () => {
    await registerFirst(10_000);
    const sendAll = async (body: object) =>
      ((await rig.bulk({ ...body, msisdn: numbers(10_000) })).body as Sent[])[0]?.messageId ?? '';
    const before = await sendAll(scheduled);
    rig.clock.advance(20_000);
    rig.table.units();
    await rig.cancel(before, 'send');
    // A transaction of the send, its event, and of what is due, whose entry in the index moves; reads of the key and the send.
    expect(rig.table.units()).toEqual({ read: 2, write: 8, calls: 3 });
    await rig.work();
    // The states, and what is due, which is deleted with its entry in the index. The reads are ten parts of 8 kB.
    expect(rig.table.units()).toMatchObject({ read: 22, write: 252 });
    const after = await sendAll(content);
    rig.table.units();
    await rig.cancel(after, 'send');
    expect(rig.table.units()).toEqual({ read: 2, write: 7, calls: 3 });
    let requests = 0;
    const { client } = rig.cancellations;
    const make = client.send.bind(client) as (command: unknown) => Promise<unknown>;
    Object.assign(client, {
      send: (command: unknown) => {
        requests += 1;
        return make(command);
      },
    });
    await rig.work();
    expect(requests).toBe(1);
    expect(rig.table.units()).toMatchObject({ write: 2 });
    expect((await rig.askedBack()).map(({ messageIds }) => messageIds.length)).toEqual(Array(10).fill(1_000));
  }, 120_000);
});
