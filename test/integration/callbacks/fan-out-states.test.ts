import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { fanOutStates } from '../../../functions/callbacks/fan-out-states.ts';
import { eraseFromPart } from '../../../ops/data-lifecycle/erase-from-part.ts';
import { parkedStore } from '../../../shared/platform/queues/parked-store.ts';
import { systemIds } from '../../../shared/platform/runtime/ids.ts';
import type { ReceiptState } from '../../../shared/push/history.ts';
import type { PushContent } from '../../../shared/push/sending/push-content.ts';
import { addEvent } from '../../support/add-event.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { collectLines } from '../../support/log-lines.ts';
import { news, storeBulk } from '../../support/store-bulk.ts';
import { streamRecord } from '../../support/stream-record.ts';
import { callbacksRig } from './callbacks-rig.ts';

const quiet: PushContent = { ...news, qos: { deliveryStatusNotifications: false } };

/** Sets up sent messages, and the stream's records of their states. */
async function fanOutRig() {
  const rig = await callbacksRig();
  const { messages } = rig;
  const owner = { partnerId: 'bars', requestId: 'r1', acceptedAt: rig.clock.now() };
  const single = async (
    more: { partnerId?: string; requestId?: string; content?: PushContent } = {},
  ): Promise<string> => {
    const messageId = systemIds.uuid();
    const message = { ...owner, messageId, msisdn: 79001234567, registered: true, content: news, ...more };
    await messages.saveSingle(message);
    return messageId;
  };
  const bulk = (count: number, contents?: PushContent[]) =>
    storeBulk(rig.table, count, { acceptedAt: rig.clock.now(), ...(contents ? { contents } : {}) });
  type Reached = readonly [messageId: string, state: ReceiptState, atMs: number];
  /** Records states that share a row, and returns what the stream shows of it. */
  const reach = async (...reached: Reached[]) => {
    const ids = reached.map(([messageId]) => messageId);
    const found = await messages.findMany(ids, rig.clock.now());
    const reports = reached.map(([messageId, state, atMs]) => {
      const message = found.get(messageId);
      if (!message) throw new Error(`no message ${messageId}`);
      return { message, state, atMs };
    });
    const rows = async () =>
      (await rig.table.rows()).filter(({ pk, sk }) => sk === 'STATE' || String(pk).startsWith('STATES#'));
    const before = await rows();
    await rig.states.record(reports);
    const after = (await rows()).find((row) => !before.some((one) => isDeepStrictEqual(one, row)));
    const earlier = before.find(({ pk }) => pk === after?.['pk']);
    return after && streamRecord(after, earlier, 5_999);
  };
  type Records = (ReturnType<typeof streamRecord> | undefined)[];
  const fanOut = (...records: Records) =>
    rig.fanOut({ Records: records.filter((record) => record !== undefined) });
  /** The same with other dependencies. Returns the positions of the records that come again. */
  const comingAgain = async (
    change: Partial<Parameters<typeof fanOutStates>[0]>,
    records: Records,
    context?: Parameters<ReturnType<typeof fanOutStates>>[1],
  ) => {
    const parked = parkedStore(rig.table);
    const handler = fanOutStates({ ...rig, parked, ...change });
    const Records = records.filter((record) => record !== undefined);
    const { batchItemFailures } = await handler({ Records }, context);
    const ids = Records.map(({ dynamodb }) => dynamodb?.SequenceNumber ?? '');
    return batchItemFailures.map(({ itemIdentifier }) => ids.indexOf(itemIdentifier));
  };
  return { ...rig, single, bulk, reach, fanOut, comingAgain };
}

const rig = inEachTest(fanOutRig);

test('rule 54: each new state of a single message, CANCELLED too, becomes a callback in the line of its partner', async () => {
  const m1 = await rig.single({ content: { ...news, utm: { utmSource: 'app' } } });
  const m2 = await rig.single({ partnerId: 'bakery' });
  const response = await rig.fanOut(
    await rig.reach([m1, 'DELIVERED', 1_001]),
    await rig.reach([m1, 'OPENED', 2_002]),
    await rig.reach([m2, 'DELIVERED', 1], [m2, 'CANCELLED', 2]),
  );
  expect(response).toEqual({ batchItemFailures: [] });
  expect(rig.queue.groups).toEqual(['bars', 'bakery']);
  const [bakery, bars] = rig.sent().sort((a, b) => a.partnerId.localeCompare(b.partnerId));
  // The stream's times are in whole seconds.
  const common = { kind: 'first', partnerId: 'bars', requestId: 'r1', recordedAt: 5_000 };
  const callbacks = [
    { messageId: m1, state: 'DELIVERED', msisdn: 79001234567, changedAt: 1_001 },
    { messageId: m1, state: 'OPENED', msisdn: 79001234567, changedAt: 2_002 },
  ];
  expect(bars).toEqual({ ...common, utm: '{"utmSource":"app"}', callbacks });
  expect(bakery.callbacks).toMatchObject([
    { messageId: m2, state: 'DELIVERED' },
    { messageId: m2, state: 'CANCELLED' },
  ]);
});

test('what is new in a row of a bulk send is one message, each state with its number, in whole seconds', async () => {
  const ids = await rig.bulk(1_100);
  const [first, last] = [String(ids[1_000]), String(ids[1_039])];
  await rig.fanOut(await rig.reach([first, 'DELIVERED', 1_999], [last, 'OPENED', 2_500]));
  expect(rig.sent().map(({ callbacks }) => callbacks)).toEqual([
    [
      { messageId: first, msisdn: 79_000_001_000, state: 'DELIVERED', changedAt: 1_000 },
      { messageId: last, msisdn: 79_000_001_039, state: 'OPENED', changedAt: 2_000 },
    ],
  ]);
});

test('rows of one send share messages of forty callbacks, and the send is read once', async () => {
  const ids = (await rig.bulk(200)).filter((_, n) => n % 4 === 0);
  const records = [];
  for (let row = 0; row < 5; row++)
    records.push(
      await rig.reach(...ids.slice(row * 10, row * 10 + 10).map((id) => [id, 'DELIVERED', 1_000] as const)),
    );
  rig.table.units();
  await rig.fanOut(...records);
  // The calls read the send, its one part, and the endpoint, which is cached for 5 s.
  expect(rig.table.units()).toMatchObject({ calls: 3 });
  const sent = rig
    .sent()
    .map(({ callbacks }) => callbacks.map((one: { messageId: string }) => one.messageId));
  expect(sent.map(({ length }) => length).sort()).toEqual([10, 40]);
  expect(sent.flat().sort()).toEqual(ids);
});

test('a row whose messages were sent with a content each tells of those that asked, by their utm', async () => {
  const withUtm = { ...news, utm: { utmSource: 'app' } };
  const ids = await rig.bulk(5, [quiet, withUtm, news, { ...news, pushType: 'PROMO' }, { ...withUtm }]);
  const reached = ids.map((id) => [id, 'DELIVERED', 1_000] as const);
  await rig.fanOut(await rig.reach(...reached));
  type Sent = { utm?: string; callbacks: { messageId: string }[] };
  const positions = ({ utm, callbacks }: Sent) => [
    utm,
    callbacks.map(({ messageId }) => messageId.slice(-4)),
  ];
  expect(rig.sent().map(positions).sort()).toEqual([
    [undefined, ['0002', '0003']],
    ['{"utmSource":"app"}', ['0001', '0004']],
  ]);
});

test('rows of messages that want no callbacks, deleted rows and erased recipients are told to nobody', async () => {
  const silent = await rig.reach([await rig.single({ content: quiet }), 'DELIVERED', 1_000]);
  expect(silent?.dynamodb?.NewImage).not.toHaveProperty('toCallBack');
  const [id = ''] = await rig.bulk(1);
  const known = await rig.reach([id, 'DELIVERED', 1_000]);
  const part = (await rig.table.rows()).find(({ sk }) => String(sk).startsWith('PART#'));
  await eraseFromPart(rig.table, part as never, 79_000_000_000);
  const deleted = streamRecord(undefined, { pk: 'STATES#b#000000', sk: '-', d0: 1 });
  expect(await rig.fanOut(silent, known, deleted)).toEqual({ batchItemFailures: [] });
  expect(rig.sent()).toEqual([]);
});

test('rule 44: a state that the partner has not chosen makes no message; one whose endpoint cannot be read hears of all, after one read', async () => {
  await rig.saveEndpoint('https://bars.example/status', { states: ['READ'] as never });
  await rig.saveEndpoint('https://bakery.example/', { partnerId: 'bakery', states: ['OPENED'] });
  const [first = '', second = ''] = await rig.bulk(2);
  const others = await rig.single({ partnerId: 'bakery' });
  const read: string[] = [];
  const view: typeof rig.endpoints.view = (endpointId, options) => {
    read.push(endpointId);
    return rig.endpoints.view(endpointId, options);
  };
  const records = [
    await rig.reach([first, 'DELIVERED', 1], [second, 'DELIVERED', 1]),
    await rig.reach([others, 'DELIVERED', 2]),
    await rig.reach([others, 'OPENED', 3]),
  ];
  expect(await rig.comingAgain({ endpoints: { ...rig.endpoints, view } }, records)).toEqual([]);
  const told = rig.sent().map(({ partnerId, callbacks }) => `${partnerId} ${callbacks[0].state}`);
  expect(told.sort()).toEqual(['bakery OPENED', 'bars DELIVERED']);
  expect(read).toEqual(['bars', 'bakery']);
});

test('while the table does not say what a partner has chosen, its events come again, and leave a line with the partner', async () => {
  const view = () => Promise.reject(new Error('the table is away'));
  await addEvent(rig.table, 'bars', { kind: 'endpoint.failing', atMs: rig.clock.now() });
  const event = (await rig.table.rows('EVENTS#'))[0];
  const lines = collectLines();
  expect(await rig.comingAgain({ endpoints: { ...rig.endpoints, view } }, [streamRecord(event)])).toEqual([
    0,
  ]);
  // A deployment is rolled back by the number of partners in such lines.
  expect(lines).toMatchObject([{ outcome: 'failed', status: '500', partnerId: 'bars', fromRecord: 0 }]);
});

test('what the queue does not take comes again, from the first such record on', async () => {
  const send = async ({ input }: { input: { Entries: { Id: string }[] } }) => ({
    Failed: input.Entries.filter(({ Id }) => Id !== '0'),
  });
  const refusing = { url: rig.queue.url, client: { send } } as never;
  const records = [];
  for (const requestId of ['first', 'second', 'third'])
    records.push(await rig.reach([await rig.single({ requestId }), 'DELIVERED', 1]));
  const atItsEnd = { getRemainingTimeInMillis: () => 1_000 };
  expect(await rig.comingAgain({ queue: refusing }, records, atItsEnd)).toEqual([1]);
});
