import { expect, test } from 'vitest';
import { fanOutStates } from '../../../functions/callbacks/fan-out-states.ts';
import { eraseFromPart } from '../../../ops/data-lifecycle/erase-from-part.ts';
import { bodyOf } from '../../../shared/callbacks/callback.ts';
import { dueCallbacksOf, readCallbackMessage } from '../../../shared/callbacks/callback-message.ts';
import { endpointStore } from '../../../shared/callbacks/endpoint/endpoint-store.ts';
import { invalid } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { newQueue } from '../../support/queue.ts';
import { streamRecord } from '../../support/stream-record.ts';
import { pushRig, type Sent } from './push-rig.ts';

const rig = inEachTest(() => pushRig(79001234567, 79001234568));

const parts =
  '"payload":{"title":"a","message":"b","deeplink":{"target":"card","shelf":1.10},"big":9223372036854775807},' +
  '"qos":{"deliveryStatusNotifications":true,"ttl":1e400},"utm":{"n":9223372036854775807,"price":[1.10,-0]}';
const utm = '"utm":{"n":9223372036854775807,"price":[1.10,-0]}';

async function outboxTexts(): Promise<string[]> {
  await rig.dispatch();
  return (await rig.outbox.drain()).map(({ body }) => body);
}

/** Returns the bodies of the callbacks for all recorded states. */
async function callbackTexts(): Promise<string[]> {
  const queue = await newQueue();
  const rows = (await rig.table.rows()).filter((row) => row['toCallBack'] === 'yes');
  const endpoints = endpointStore(rig.table);
  await fanOutStates({ ...rig.deps, endpoints, queue })({ Records: rows.map((row) => streamRecord(row)) });
  const messages = (await queue.drain()).map(({ body }) => readCallbackMessage(body));
  const dues = messages.flatMap((message) => (message ? dueCallbacksOf(message) : []));
  return dues.flatMap((due) => ('version' in due ? [] : [bodyOf(due)]));
}

test.each([
  ['single', '79001234567', 1],
  ['bulk', '[79001234567,79001234568]', 2],
] as const)(
  'rule 37: the messages of a %s send and their callbacks have the numbers of the request',
  async (how, msisdn, count) => {
    const sent = await rig[how](`{"pushType":"SERVICE","msisdn":${msisdn},${parts}}`);
    expect((await outboxTexts())[0]).toContain(parts);
    const messages = [sent.body].flat().map((one, n) => ({ ...(one as Sent), msisdn: 79001234567 + n }));
    await rig.reports(messages, 'DELIVERED', '2026-05-20T12:00:00Z');
    const texts = await callbackTexts();
    expect(texts).toHaveLength(count);
    expect(texts).toContain(
      `{"msisdn":79001234567,"messageId":"${messages[0]?.messageId}","state":"DELIVERED","time":"2026-05-20T12:00:00Z",${utm}}`,
    );
    for (const text of texts) expect(text).toContain(utm);
  },
);

test('rule 37: a message has at most 100 numbers that must be restored', async () => {
  const withNumbers = (count: number) =>
    `{"pushType":"SERVICE","msisdn":79001234567,"payload":{"title":"a","message":"b"},"utm":{"n":[${Array(count).fill('-0')}],"m":[1]}}`;
  expect((await rig.multi(`[${withNumbers(100)}]`)).status).toBe(200);
  const sentence =
    '[0]: payload, qos and utm: more than 100 numbers such as 1.10 or 1e3; send them in their shortest form, as 1.1 and 1000';
  expect(await rig.multi(`[${withNumbers(101)}]`)).toMatchObject(invalid(sentence));
});

test('rule 37: each message of a multi send has its own numbers, also after another recipient was erased', async () => {
  const one = `{"pushType":"SERVICE","msisdn":79001234567,${parts}}`;
  const other =
    '{"pushType":"SERVICE","msisdn":79001234568,"payload":{"title":"c","message":"d","x":2.50},"utm":{"y":3.0}}';
  await rig.multi(`[${one},${other}]`);
  const part = (await rig.table.rows()).find(({ sk }) => String(sk).startsWith('PART#'));
  await eraseFromPart(rig.table, part as never, 79001234567);
  expect((await outboxTexts())[0]).toContain(
    '"payload":{"title":"c","message":"d","x":2.50},"utm":{"y":3.0}',
  );
});

test('rule 37: the limit of 4 kB counts the bytes of the numbers as they are given', async () => {
  const textOf = (zeros: number) =>
    `{"pushType":"SERVICE","msisdn":79001234567,"payload":{"title":"a","message":"b"},"utm":{"n":1.${'0'.repeat(zeros)}}}`;
  const sized = (zeros: number) => rig.single(textOf(zeros));
  // Without its zeros, {"payload":{"title":"a","message":"b"},"utm":{"n":1.}} has 54 bytes.
  expect((await sized(4_042)).status).toBe(200);
  const sentence = 'payload, qos and utm: 4097 bytes, the limit is 4096 bytes in all';
  expect(await sized(4_043)).toMatchObject({
    status: 400,
    headers: { 'x-error': `REQUEST_INVALID; body: ${sentence}` },
  });
  const [small, large] = [4_042, 4_043].map(textOf);
  expect(await rig.multi(`[${small},${large}]`)).toMatchObject(invalid(`[1]: ${sentence}`));
});
