import { ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { fanOutStates } from '../../../functions/callbacks/fan-out-states.ts';
import { dispatchMessages } from '../../../functions/push/dispatch-messages.ts';
import { parkedStore } from '../../../shared/platform/queues/parked-store.ts';
import { deleteRow, putRow } from '../../../shared/platform/table/rows.ts';
import { deliveryStateStore } from '../../../shared/push/delivery-state-store.ts';
import { messageStore } from '../../../shared/push/message-store.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { collectLines } from '../../support/log-lines.ts';
import { newQueue } from '../../support/queue.ts';
import { news, storeBulk } from '../../support/store-bulk.ts';
import { streamRecord } from '../../support/stream-record.ts';
import { callbacksRig } from '../callbacks/callbacks-rig.ts';

type Row = { pk: string; sk: string } & Record<string, unknown>;
type Ids = { messageId: string }[];

/** Sets up the readers of the stream, and sends for them. */
async function streamRig() {
  const rig = await callbacksRig();
  const { table, clock, endpoints, queue } = rig;
  const outbox = await newQueue();
  const messages = messageStore(table);
  const states = deliveryStateStore(table);
  const deps = { messages, states, clock, endpoints, parked: parkedStore(table) };
  /** Accepts a send of two messages with a content each. */
  const send = async (partnerId?: string) => {
    const contents = [news, news];
    const sent = { acceptedAt: clock.now(), contents, ...(partnerId ? { partnerId } : {}) };
    const [messageId = ''] = await storeBulk(table, 2, sent);
    const bulkId = messageId.slice(0, -4);
    const rows = (await table.rows()).filter(({ pk }) => pk === `BULK#${bulkId}`) as Row[];
    const row = (sk: string) => rows.find((one) => one.sk === sk) as Row;
    return { bulkId, messageId, head: row('PAYLOAD'), part: row('PART#000000') };
  };
  const idsIn = (records: { body: string }[], of: 'messages' | 'callbacks'): string[] =>
    records.flatMap(({ body }) => (JSON.parse(body)[of] as Ids).map(({ messageId }) => messageId));
  return {
    ...rig,
    deps,
    send,
    dispatch: dispatchMessages({ ...deps, queue: outbox }),
    remove: ({ pk, sk }: Row) => deleteRow(table, { pk, sk }),
    fanOutWith: (change: object) => fanOutStates({ ...deps, queue, ...change }),
    /** Returns the first message of each send that was handed over. */
    handedOver: async () => idsIn(await outbox.drain(), 'messages').filter((id) => id.endsWith('0000')),
    called: () => idsIn(rig.records(), 'callbacks').sort(),
    parked: () => table.rows('PARKED#'),
  };
}

const rig = inEachTest(streamRig);

type Rig = typeof rig;
type Sent = Awaited<ReturnType<Rig['send']>>;

/** What the stream shows when the first message of a send was delivered. */
function delivered({ bulkId }: Sent, atSeconds: number) {
  return streamRecord({ pk: `STATES#${bulkId}#000000`, sk: '-', toCallBack: 'yes', d0: atSeconds });
}

/** Ways in which what a send needs can be damaged for good. */
const damages: [string, string, (rig: Rig, sent: Sent) => Promise<void>][] = [
  ['is gone', '$ZodError', (rig, { part }) => rig.remove(part)],
  [
    'has no recipients',
    '$ZodError',
    ({ table }, { part: { recipients: _, ...part } }) => putRow(table, part as Row),
  ],
  [
    'is no gzip',
    'Z_DATA_ERROR',
    ({ table }, { part }) => putRow(table, { ...part, contents: Buffer.from('plain') }),
  ],
];

test.each(damages)(
  'a send whose part %s is parked at once, and those behind it go on',
  async (_what, error, damage) => {
    const sent = [await rig.send(), await rig.send(), await rig.send()] as const;
    await damage(rig, sent[1]);
    const lines = collectLines();
    const Records = sent.map(({ head }) => streamRecord(head));
    expect(await rig.dispatch({ Records })).toEqual({ batchItemFailures: [] });
    expect(await rig.handedOver()).toEqual([sent[0].messageId, sent[2].messageId]);
    const reason = `it, or a row that it needs, cannot be processed (${error})`;
    expect(await rig.parked()).toMatchObject([
      { pk: 'PARKED#DispatchMessages', sk: Records[1]?.dynamodb?.SequenceNumber, reason },
    ]);
    // The stack says where, and quotes nothing.
    expect(lines).toMatchObject([
      {
        outcome: 'done',
        parked: reason,
        parkedId: Records[1]?.dynamodb?.SequenceNumber,
        Parked: 1,
        Failed: 1,
        status: '500',
        partnerId: 'bars',
        messages: 4,
      },
    ]);
    expect(lines[0]?.['stack']).toContainEqual(expect.stringContaining('parsePart'));
    expect(lines[0]).not.toHaveProperty('fromRecord');
  },
);

test('a parked send is handed over when its record is given to the function again, as the runbook says', async () => {
  const sent = await rig.send();
  await rig.remove(sent.part);
  await rig.dispatch({ Records: [streamRecord(sent.head)] });
  expect(await rig.handedOver()).toEqual([]);
  await putRow(rig.table, sent.part);
  const [row] = await rig.parked();
  await rig.dispatch({ Records: [{ dynamodb: JSON.parse(String(row?.['body'])) }] });
  expect(await rig.handedOver()).toEqual([sent.messageId]);
});

test('of records that AWS’s command line has read from the stream, each reader takes those that its mapping would', async () => {
  const sent = await rig.send();
  const { toDispatch: _, ...waiting } = sent.head;
  const states = { pk: `STATES#${sent.bulkId}#000000`, sk: '-', d0: 1 };
  const rows = [{ ...waiting, deliverFrom: 1 }, { pk: 'PLACES#club', sk: 'bar-1' }, sent.head, states];
  const Records = [
    ...rows.map((row) => streamRecord(row)),
    streamRecord({ ...states, toCallBack: 'yes' }),
    streamRecord(undefined, sent.head),
  ];
  for (const { dynamodb } of Records)
    Object.assign(dynamodb ?? {}, { ApproximateCreationDateTime: '2026-05-20T03:00:00+03:00' });
  expect(await rig.dispatch({ Records })).toEqual({ batchItemFailures: [] });
  expect(await rig.handedOver()).toEqual([sent.messageId]);
  expect(await rig.fanOut({ Records })).toEqual({ batchItemFailures: [] });
  expect(rig.sent().map(({ recordedAt }) => recordedAt)).toEqual([Date.parse('2026-05-20T00:00:00Z')]);
  expect(await rig.parked()).toEqual([]);
});

function throttled() {
  return new ProvisionedThroughputExceededException({ message: 'slow down', $metadata: {} });
}

test('while the response of a call cannot be parsed nothing is parked: the records come again', async () => {
  // The SDK throws this for a response that is no JSON, such as a proxy's error page.
  const unparsed = Object.assign(new SyntaxError('Unexpected token <'), { $metadata: { attempts: 4 } });
  const findMany = () => Promise.reject(unparsed);
  const fanOut = rig.fanOutWith({ messages: { ...rig.deps.messages, findMany } });
  const Records = [delivered(await rig.send(), 1), delivered(await rig.send(), 1)];
  const itemIdentifier = Records[0]?.dynamodb?.SequenceNumber;
  expect(await fanOut({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier }] });
  expect([rig.called(), await rig.parked()]).toEqual([[], []]);
});

test('a record of which no message can be made, and that cannot be parked, comes again with those behind it, and leaves a line', async () => {
  const sent = [await rig.send('bakery'), await rig.send(), await rig.send('cafe')] as const;
  const Records = sent.map((one) => delivered(one, 1));
  Object.assign(Records[1]?.dynamodb?.NewImage ?? {}, { d0: { N: String(Number.MAX_SAFE_INTEGER) } });
  const fanOut = rig.fanOutWith({ parked: { park: () => Promise.reject(throttled()) } });
  const lines = collectLines();
  const itemIdentifier = Records[1]?.dynamodb?.SequenceNumber;
  expect(await fanOut({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier }] });
  expect(rig.called()).toEqual([sent[0].messageId]);
  expect(lines).toMatchObject([{ outcome: 'failed', records: 3, messages: 1 }]);
});

test('while the endpoint of one partner cannot be read, the states before its own are told', async () => {
  const sent = [await rig.send('bakery'), await rig.send(), await rig.send('cafe')] as const;
  const Records = sent.map((one) => delivered(one, 1));
  const view = (id: string) => (id === 'bars' ? Promise.reject(throttled()) : rig.deps.endpoints.view(id));
  const itemIdentifier = Records[1]?.dynamodb?.SequenceNumber;
  const fanOut = rig.fanOutWith({ endpoints: { ...rig.deps.endpoints, view } });
  expect(await fanOut({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier }] });
  expect(rig.called()).toEqual([sent[0].messageId]);
});

test('rows that only another version of the code can read, and states at a time that no callback can carry, are parked, and those beside them are told', async () => {
  const sent = await rig.send();
  const unknown = streamRecord({ pk: 'NEWKIND#1', sk: '-', toCallBack: 'yes' });
  const large = delivered(sent, 1);
  Object.assign(large.dynamodb?.NewImage ?? {}, { d0: { N: '9007199254740993.5' } });
  const Records = [unknown, delivered(sent, 1), large, delivered(sent, Number.MAX_SAFE_INTEGER)];
  expect(await rig.fanOut({ Records })).toEqual({ batchItemFailures: [] });
  expect(rig.called()).toEqual([sent.messageId]);
  expect(await rig.parked()).toHaveLength(3);
});

test('when half of the time is over, what was read so far is handed over, and the next invocation goes on behind it', async () => {
  const sent = [await rig.send(), await rig.send(), await rig.send()] as const;
  const Records = sent.map(({ head }) => streamRecord(head));
  const leftMs = [10_500, 10_500, 5_500, 5_499];
  const context = { getRemainingTimeInMillis: () => leftMs.shift() ?? 5_499 };
  const itemIdentifier = Records[2]?.dynamodb?.SequenceNumber;
  expect(await rig.dispatch({ Records }, context)).toEqual({ batchItemFailures: [{ itemIdentifier }] });
  expect(await rig.handedOver()).toEqual([sent[0].messageId, sent[1].messageId]);
});

test('states are told in several invocations where half of the time is too short for reading the endpoints of all', async () => {
  const sent = await Promise.all(['bakery', 'bars', 'cafe', 'diner'].map(rig.send));
  const Records = sent.map((one) => delivered(one, 1));
  let leftMs = 10_500;
  const view = (id: string) => {
    leftMs -= 3_000;
    return rig.deps.endpoints.view(id);
  };
  const fanOut = rig.fanOutWith({ endpoints: { ...rig.deps.endpoints, view } });
  const context = { getRemainingTimeInMillis: () => leftMs };
  const [failed] = (await fanOut({ Records }, context)).batchItemFailures;
  expect(failed?.itemIdentifier).toBe(Records[2]?.dynamodb?.SequenceNumber);
  expect(rig.called()).toEqual(sent.slice(0, 2).map(({ messageId }) => messageId));
  leftMs = 10_500;
  expect(await fanOut({ Records: Records.slice(2) }, context)).toEqual({ batchItemFailures: [] });
  expect(rig.called()).toEqual(sent.slice(2).map(({ messageId }) => messageId));
});

test('a mistake of our code holds its record for a quarter of an hour, for a rollback, and then it is parked', async () => {
  const sent = [await rig.send(), await rig.send()] as const;
  const messages = {
    ...rig.deps.messages,
    findMany: (ids: readonly string[], nowMs: number) => {
      if (ids.includes(sent[0].messageId)) throw new TypeError('undefined is not a function');
      return rig.deps.messages.findMany(ids, nowMs);
    },
  };
  const fanOut = rig.fanOutWith({ messages });
  const Records = sent.map((one) => delivered(one, 1));
  for (const { dynamodb } of Records)
    Object.assign(dynamodb ?? {}, { ApproximateCreationDateTime: rig.clock.now() / 1_000 });
  rig.clock.advance(899_000);
  const itemIdentifier = Records[0]?.dynamodb?.SequenceNumber;
  expect(await fanOut({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier }] });
  expect([rig.called(), await rig.parked()]).toEqual([[], []]);
  rig.clock.advance(1_000);
  expect(await fanOut({ Records })).toEqual({ batchItemFailures: [] });
  expect(rig.called()).toEqual([sent[1].messageId]);
  expect(await rig.parked()).toMatchObject([
    { sk: itemIdentifier, reason: expect.stringContaining('(TypeError)') },
  ]);
});
