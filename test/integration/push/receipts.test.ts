import { describe, expect, test } from 'vitest';
import { recordReceipts } from '../../../functions/push/record-receipts.ts';
import { sendIdOf } from '../../../shared/push/message-id.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { interceptCalls } from '../../support/intercept-calls.ts';
import { collectLines } from '../../support/log-lines.ts';
import { redelivered, sqsRecord } from '../../support/queue.ts';
import { content, numbers, other, phone, pushRig, type Sent } from './push-rig.ts';

const rig = inEachTest(() => pushRig(phone));

function accepted(): Promise<Sent> {
  return rig.sent.single(phone);
}

function receipt({ messageId, msisdn }: Sent, state: string, time: string) {
  return { receipts: [{ messageId, msisdn, state, time }] };
}

function opened(...of: Sent[]) {
  return { receipts: of.flatMap((one) => receipt(one, 'OPENED', '2026-05-20T12:00:03Z').receipts) };
}

const unknownId = '5f0c1b9e-7a52-4c0e-9a1c-2f6f7f0f7d11';
const enqueued = 'ENQUEUED 15:00:00';

describe('a history', () => {
  test('rule 18: grows with receipts, in the order of time, and takes each state once, with its first time', async () => {
    const message = await accepted();
    const { messageId } = message;
    expect(await rig.statesOf(messageId)).toEqual([enqueued]);
    await rig.reports([message], 'DELIVERED', '2026-05-20T12:00:03Z');
    await rig.reports([message], 'OPENED', '2026-05-20T15:01:00.000+03');
    await rig.reports([message], 'DELIVERED', '2026-05-20T12:09:00Z');
    const states = [enqueued, 'DELIVERED 15:00:03', 'OPENED 15:01:00'];
    expect(await rig.statesOf(messageId)).toEqual(states);
    expect(await rig.parked()).toEqual([]);
  });

  test('of a message in a bulk send, or among many with a content each, is found by its id alone, which a phone may write in upper case', async () => {
    await rig.register(other);
    const [, second, third] = (await rig.sent.bulk([phone, other, 79_000_000_001])) as [Sent, Sent, Sent];
    const inUpperCase = { ...second, messageId: second.messageId.toUpperCase() };
    await rig.reports([inUpperCase], 'DELIVERED', '2026-05-20T12:00:01Z');
    expect(await rig.reached(second)).toEqual(['ENQUEUED,DELIVERED']);
    expect((await rig.history(third)).body).toEqual({
      states: [{ msisdn: 79_000_000_001, state: 'MSISDN_NOT_REGISTERED', time: '2026-05-20T15:00:00+0300' }],
    });
    const msisdns = [...numbers(199), other];
    const last = (await rig.sent.multi(msisdns.map((msisdn) => ({ ...content, msisdn })))).at(-1);
    await rig.reports([last], 'OPENED', '2026-05-20T12:00:09Z');
    expect(await rig.reached(last)).toEqual(['ENQUEUED,OPENED']);
  });

  test('rule 47: begins with the acceptance and ends with the report, whatever the clock of the phone says', async () => {
    const message = await accepted();
    const sentAt = Date.UTC(2026, 4, 20, 12, 5);
    const early = receipt(message, 'DELIVERED', '2019-01-01T00:00:00Z');
    const late = receipt(message, 'OPENED', '2038-01-19T03:14:07Z');
    await rig.handlers.receipts({ Records: [sqsRecord(early, sentAt), sqsRecord(late, sentAt)] });
    expect(await rig.statesOf(message)).toEqual([enqueued, 'DELIVERED 15:00:00', 'OPENED 15:05:00']);
    // The queue's clock is behind.
    const next = await accepted();
    const report = receipt(next, 'DELIVERED', '2026-05-20T12:00:03Z');
    await rig.handlers.receipts({ Records: [sqsRecord(report, Date.UTC(2026, 4, 20, 11, 59, 59))] });
    expect((await rig.statesOf(next)).at(-1)).toBe('DELIVERED 15:00:00');
  });

  test('of a bulk send whose recipients time to live has taken first is 404', async () => {
    const [sent] = (await rig.bulk({ ...content, msisdn: [phone] })).body as Sent[];
    const [part] = (await rig.table.rows()).filter(({ sk }) => String(sk).startsWith('PART#'));
    await rig.remove({ ...part });
    expect((await rig.history(sent)).status).toBe(404);
  });
});

describe('a receipt', () => {
  test('rule 30: for an unknown message, another number or an unregistered one is parked with its reason', async () => {
    const message = await accepted();
    const unsent = await rig.sent.single(other);
    const one = { ...message, state: 'OPENED', time: '2026-05-20T12:00:00Z' };
    await rig.receive({
      receipts: [
        { ...one, messageId: unknownId },
        { ...one, msisdn: other },
        { ...one, ...unsent, state: 'OPENED' },
        { ...one, state: 'LOST', time: 'yesterday' },
        { ...one, state: 'DELIVERED', time: '2026-05-20T12:00:01Z' },
      ],
    });
    const [row, ...others] = await rig.table.rows('PARKED#');
    expect([others, String(row?.['reason']).split('\n')]).toEqual([
      [],
      [
        'receipts[0]: no message has this messageId',
        'receipts[1]: the message went to another msisdn',
        'receipts[2]: the message was not sent, its msisdn was not registered',
        'receipts[3].state: must be one of DELIVERED, OPENED, CANCELLED',
        'receipts[3].time: must be a date and time with an offset, like 2026-06-01T00:00:00+03',
      ],
    ]);
    // The number of a message that is not found may have been erased.
    const known = { messageId: message.messageId, state: 'OPENED', time: '2026-05-20T12:00:00.000Z' };
    expect(JSON.parse(String(row?.['body']))).toEqual([
      { ...known, messageId: unknownId },
      known,
      { ...known, messageId: unsent.messageId },
      { ...one, state: 'LOST', time: 'yesterday' },
    ]);
    expect(await rig.reached(message)).toEqual(['ENQUEUED,DELIVERED']);
  });

  test('that is parked is in the log line by its reason, a few reasons at most, without a phone number', async () => {
    const message = await accepted();
    const lines = collectLines();
    const one = { ...message, state: 'OPENED', time: '2026-05-20T12:00:00Z' };
    const unknown = { messageId: unknownId };
    const wrong = [unknown, { state: 'LOST' }, unknown, { time: 'yesterday' }, { msisdn: 1 }];
    const more = [{ state: 5, msisdn: '1' }, { time: 5 }, { messageId: 5 }];
    await rig.receive({ receipts: [...wrong, ...more].map((change) => ({ ...one, ...change })) });
    await rig.reports([message], 'DELIVERED', '2026-05-20T12:00:00Z');
    expect(lines.map((line) => line['parkedReasons'])).toEqual([
      [
        'receipts[0,2]: no message has this messageId',
        'receipts[1,5].state: must be one of DELIVERED, OPENED, CANCELLED',
        'receipts[3,6].time: must be a date and time with an offset, like 2026-06-01T00:00:00+03',
        'receipts[4].msisdn: must be a whole number of 7 to 15 digits, without +',
        'receipts[5].msisdn: must be a JSON number, without quotes and without +',
        'and 1 more',
      ],
      undefined,
    ]);
    expect(lines[0]).toMatchObject({ recorded: 0, repeated: 0, parked: 8 });
    expect(JSON.stringify(lines)).not.toContain(String(phone));
  });

  test.each([
    ['no JSON', '{"half', 'body: is not valid JSON'],
    ['no receipts', { receipts: [] }, 'receipts: must have at least 1 element'],
    ['too many receipts', { receipts: Array(501).fill(1) }, 'receipts: must have at most 500 elements'],
    ['something else', { hello: 'world' }, 'receipts: required'],
  ])(
    'message that holds %s is parked whole and never tried again, and counts as a full one',
    async (_what, message, reason) => {
      const lines = collectLines();
      expect(await rig.receive(message)).toEqual({ batchItemFailures: [] });
      expect(await rig.parked()).toEqual([reason]);
      expect(lines).toMatchObject([{ parked: 1, ReceiptsParked: 500 }]);
    },
  );

  test.each([
    ['nested too deeply', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, ', not an array'],
    ['half a character', String.raw`"\ud83d"`, ''],
  ])('that is %s is parked, and the other of its message is recorded', async (_what, json, what) => {
    const message = await accepted();
    const good = JSON.stringify({ ...message, state: 'DELIVERED', time: '2026-05-20T12:00:01Z' });
    expect(await rig.receive(`{"receipts": [${json}, ${good}]}`)).toEqual({ batchItemFailures: [] });
    expect(await rig.parked()).toEqual([`receipts[0]: must be an object${what}`]);
    expect(await rig.reached(message)).toEqual(['ENQUEUED,DELIVERED']);
  });

  test('is parked with what its sender may recognise it by, cut short, 500 in a row', async () => {
    const long = '\ud83d\udc4b'.repeat(500);
    const misspelt = { message_id: unknownId, receipt: { state: long, more: [long] }, [long]: 1 };
    await rig.receive({ receipts: [misspelt, long] });
    await rig.receive({
      receipts: Array(500).fill({ messageId: unknownId, msisdn: '1', state: 'LOST', time: '' }),
    });
    const bodies = (await rig.table.rows('PARKED#')).map(({ body }) => JSON.parse(String(body)));
    const [cut, many] = bodies.sort((a, b) => a.length - b.length);
    const short = long.slice(0, 40);
    const receipt = { state: short, more: '...' };
    expect(cut).toEqual([{ message_id: unknownId, receipt, [short]: 1 }, short]);
    expect(many).toHaveLength(500);
  });

  test('that cannot be parked comes again, is counted once, and the other of its message is recorded', async () => {
    const message = await accepted();
    const lines = collectLines();
    const parked = { park: () => Promise.reject(new Error('the partition is throttled')) };
    const one = { ...message, time: '2026-05-20T12:00:01Z' };
    const record = sqsRecord({
      receipts: [
        { ...one, state: 'LOST' },
        { ...one, state: 'DELIVERED' },
      ],
    });
    const { batchItemFailures } = await recordReceipts({ ...rig.deps, parked })({ Records: [record] });
    expect(batchItemFailures).toHaveLength(1);
    expect(await rig.reached(message)).toEqual(['ENQUEUED,DELIVERED']);
    // At a first delivery the row is there if the SDK has repeated the write: nothing was counted yet.
    for (const count of [2, 3, 1]) await recordReceipts(rig.deps)(redelivered([record], count));
    const ofReceipts = lines.filter(({ code }) => code === 'RecordReceipts');
    expect(ofReceipts.map(({ ReceiptsParked }) => ReceiptsParked)).toEqual([undefined, 1, undefined, 1]);
  });

  test('of a row that cannot be written sends back every message with a receipt in it, and no others', async () => {
    await rig.register(...numbers(41));
    const sent = await rig.sent.bulk(numbers(41));
    const [first, second, last] = [sent[0], sent[1], sent[40]] as [Sent, Sent, Sent];
    const record: typeof rig.deps.states.record = (reports) =>
      reports.some(({ message }) => message.messageId === first.messageId)
        ? Promise.reject(new Error('the table is away'))
        : rig.deps.states.record(reports);
    const records = [opened(first), opened(last), opened(second), opened(last, second)].map((message) =>
      sqsRecord(message),
    );
    const states = { ...rig.deps.states, record };
    const { batchItemFailures } = await recordReceipts({ ...rig.deps, states })({ Records: records });
    const returned = batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    expect(returned).toEqual([0, 2, 3].map((n) => records[n]?.messageId));
    expect(await rig.reached(first, second, last)).toEqual(['ENQUEUED', 'ENQUEUED', 'ENQUEUED,OPENED']);
  });

  test('whose send has a damaged row comes again, the others of its message are recorded, and a send is looked up as one', async () => {
    await rig.register(...numbers(9));
    const healthy = await Promise.all(numbers(9).map((msisdn) => rig.sent.single(msisdn)));
    const bulk = await rig.sent.bulk(numbers(9));
    const sendId = sendIdOf(`${bulk[0]?.messageId}`);
    await rig.damage(sendId);
    const lines = collectLines();
    let lookups = 0;
    interceptCalls(rig.table.client, ({ input }, make) => {
      if (input.RequestItems) lookups += 1;
      return make();
    });
    expect((await rig.receive(opened(...healthy, ...bulk))).batchItemFailures).toHaveLength(1);
    expect(lines).toMatchObject([{ partnerId: 'bars', failedSendIds: [sendId], recorded: 9, parked: 0 }]);
    expect(await rig.parked()).toEqual([]);
    expect(lookups).toBe(8);
  });
});
