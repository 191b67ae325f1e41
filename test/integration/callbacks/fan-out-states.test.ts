import { expect, test } from 'vitest';
import { fanOutStates } from '../../../functions/callbacks/fan-out-states.ts';
import { parkedStore } from '../../../shared/queues/parked-store.ts';
import { callbacksRig, streamRecord } from './callbacks-rig.ts';

const row = { partnerId: 'bars', messageId: 'm1', msisdn: 79001234567, toCallBack: 'yes' };

test('each new state becomes one message in the line of its partner', async () => {
  const { fanOut, records, queue } = await callbacksRig();
  const delivered = { ...row, deliveredAt: 1_000, utm: '{"utmSource":"app"}' };
  const response = await fanOut({
    Records: [
      streamRecord(delivered, undefined, 5_999),
      streamRecord({ ...delivered, openedAt: 2_000 }, delivered),
      streamRecord({ ...delivered, expiresAt: 9 }, delivered),
      streamRecord({ ...row, messageId: 'm2', partnerId: 'bakery', deliveredAt: 1, openedAt: 2 }),
    ],
  });
  expect(response).toEqual({ batchItemFailures: [] });
  expect(queue.groups).toEqual(['bars', 'bars', 'bakery', 'bakery']);
  const sent = (await records()).map(({ body }) => JSON.parse(body));
  expect(sent).toHaveLength(4);
  expect(sent).toEqual(
    expect.arrayContaining([
      {
        kind: 'first',
        partnerId: 'bars',
        messageId: 'm1',
        msisdn: 79001234567,
        state: 'DELIVERED',
        changedAt: 1_000,
        // The stream knows seconds.
        recordedAt: 5_000,
        utm: '{"utmSource":"app"}',
      },
      expect.objectContaining({ messageId: 'm1', state: 'OPENED', changedAt: 2_000 }),
      expect.objectContaining({ messageId: 'm2', state: 'DELIVERED', partnerId: 'bakery' }),
      expect.objectContaining({ messageId: 'm2', state: 'OPENED', partnerId: 'bakery' }),
    ]),
  );
});

test('rows without a marker, and deleted rows, are ignored', async () => {
  const { fanOut, records } = await callbacksRig();
  const quiet = { ...row, toCallBack: undefined, deliveredAt: 1 };
  await fanOut({ Records: [streamRecord(quiet), streamRecord(undefined, { ...row, deliveredAt: 1 })] });
  expect(await records()).toEqual([]);
});

test('a record that cannot be read is parked with its reason and holds up nothing', async () => {
  const { fanOut, records, table } = await callbacksRig();
  const response = await fanOut({
    Records: [
      streamRecord({ ...row, msisdn: 'unknown', deliveredAt: 1 }),
      streamRecord({ ...row, deliveredAt: 1 }),
    ],
  });
  expect(response).toEqual({ batchItemFailures: [] });
  expect(await records()).toHaveLength(1);
  expect(await table.rows()).toMatchObject([
    { pk: 'PARKED#FanOutStates', reason: 'not a state row that can be told to a partner' },
  ]);
});

test('what the queue does not take comes again, from the first such record on', async () => {
  const { table, queue, clock } = await callbacksRig();
  const refusing = {
    url: queue.url,
    client: {
      send: async ({ input }: { input: { Entries: { Id: string }[] } }) => ({
        Failed: input.Entries.filter(({ Id }) => Id.startsWith('1-') || Id.startsWith('2-')),
      }),
    },
  } as never;
  const fanOut = fanOutStates({ queue: refusing, parked: parkedStore(table), clock, pause: async () => {} });
  const Records = ['a', 'b', 'c'].map((messageId) => streamRecord({ ...row, messageId, deliveredAt: 1 }));
  expect(await fanOut({ Records })).toEqual({
    batchItemFailures: [{ itemIdentifier: Records[1]?.dynamodb?.SequenceNumber }],
  });
});

test('a record that can be neither read nor parked comes again; those before it are sent', async () => {
  const { queue, clock, records } = await callbacksRig();
  const parked = { park: () => Promise.reject(new Error('the table is away')) };
  const fanOut = fanOutStates({ queue, parked, clock });
  const Records = [
    streamRecord({ ...row, deliveredAt: 1 }),
    streamRecord({ ...row, msisdn: 'unknown', deliveredAt: 1 }),
    streamRecord({ ...row, messageId: 'm3', deliveredAt: 1 }),
  ];
  expect(await fanOut({ Records })).toEqual({
    batchItemFailures: [{ itemIdentifier: Records[1]?.dynamodb?.SequenceNumber }],
  });
  expect(await records()).toHaveLength(1);
});
