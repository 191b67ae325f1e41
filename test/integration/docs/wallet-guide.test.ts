import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { expect, inject, onTestFinished, test } from 'vitest';
import type * as z from 'zod/mini';
import { type EngineCall, startEngineProxies } from '../../../local/engines/engine-proxy.ts';
import { account } from '../../../local/template/account.ts';
import { eventually } from '../../../ops/scenario/eventually.ts';
import { type Queue, sendAll } from '../../../shared/platform/queues/queue.ts';
import { ReceiptMessage } from '../../../shared/push/receipt.ts';
import { OutboxMessage } from '../../../shared/push/sending/outbox-message.ts';
import { bars } from '../../support/http.ts';
import { newQueue, type TestQueue } from '../../support/queue.ts';
import { content, pushRig, type Sent } from '../push/push-rig.ts';

const guide = readFileSync('docs/wallet-guide.md', 'utf8');
const snippet = 'docs/snippets/wallet-platform.mjs';

/** Starts a proxy to SQS, through which the program sees the queues. */
async function startQueues(answer: (call: EngineCall) => ReturnType<EngineCall['forward']>) {
  const engines = { dynamodb: inject('dynamodbEndpoint'), sqs: inject('sqsEndpoint') };
  const { endpoints, stop } = await startEngineProxies(engines, answer);
  onTestFinished(async () => void (await stop()));
  return { endpoint: endpoints.sqs, urlOf: ({ url }: Queue) => `${endpoints.sqs}${new URL(url).pathname}` };
}

/** Fails the last entry of the first batch of each kind, as SQS does now and then. */
function failOnce(failed: Set<string>) {
  return async ({ operation, body, forward }: EngineCall) => {
    if (!/^(Send|Delete)MessageBatch$/.test(operation) || failed.has(operation)) return forward(body);
    const given = JSON.parse(body.toString()) as { Entries: { Id: string }[] };
    const last = given.Entries.pop();
    const response = await forward(JSON.stringify(given));
    failed.add(operation);
    const Failed = [{ Id: last?.Id, SenderFault: false, Code: 'InternalError', Message: 'try again' }];
    const answer = { ...JSON.parse(String(response.body)), Failed };
    return { ...response, body: Buffer.from(JSON.stringify(answer)) };
  };
}

type Queues = {
  sqs: Awaited<ReturnType<typeof startQueues>>;
  outbox: Queue;
  cancellations?: Queue;
  receipts: TestQueue;
};

/** Runs the program. `received` is what it has reported so far. */
async function startProgram({ sqs, outbox, cancellations, receipts }: Queues) {
  const toCancel = cancellations ?? (await newQueue());
  const child = spawn(process.execPath, [snippet], {
    env: {
      AWS_ENDPOINT_URL_SQS: sqs.endpoint,
      AWS_REGION: account.region,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      PUSH_OUTBOX_URL: sqs.urlOf(outbox),
      PUSH_CANCELLATIONS_URL: sqs.urlOf(toCancel),
      DELIVERY_RECEIPTS_URL: sqs.urlOf(receipts),
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const printed = { out: text(child.stdout), err: text(child.stderr) };
  const records: Awaited<ReturnType<typeof receipts.drain>> = [];
  const received = () => records.flatMap(({ body }) => ReceiptMessage.parse(JSON.parse(body)).receipts);
  const receipt = (count: number) =>
    eventually(
      `${count} receipts`,
      async () => {
        records.push(...(await receipts.drain()));
        return received().length;
      },
      { until: (found) => found >= count },
    );
  const stop = async () => {
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    records.push(...(await receipts.drain()));
    return { out: await printed.out, err: await printed.err };
  };
  return { records, received, receipt, stop };
}

async function countsOf({ client, url }: Queue): Promise<string> {
  const command = new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['All'] });
  const { Attributes = {} } = await client.send(command);
  const { ApproximateNumberOfMessages: waiting, ApproximateNumberOfMessagesNotVisible: held } = Attributes;
  return `${waiting} waiting, ${held} held`;
}

test('At least once, unordered: the program reports each message of a send once, whatever comes twice or fails, and nothing is parked', async () => {
  const rig = await pushRig();
  const receipts = await newQueue();
  const failed = new Set<string>();
  const sqs = await startQueues(failOnce(failed));
  const phones = Array.from({ length: 3_600 }, (_, n) => 79_001_000_000 + n);
  for (let n = 0; n < phones.length; n += 1_000) await rig.register(...phones.slice(n, n + 1_000));
  const sent = (await rig.bulk({ ...content, msisdn: phones })).body as Sent[];
  await rig.dispatch();
  await rig.dispatch();
  await sendAll(rig.outbox, [{ body: '{"half' }]);

  const program = await startProgram({ sqs, outbox: rig.outbox, receipts });
  await program.receipt(3_600);
  await eventually('a failure of each kind', () => failed.size === 2);
  expect((await program.stop()).err).toContain('was not stored');
  expect(
    program
      .received()
      .map(({ messageId }) => messageId)
      .sort(),
  ).toEqual(sent.map(({ messageId }) => messageId).sort());
  // The message that could not be stored stays and comes again later; all others are deleted.
  expect(await countsOf(rig.outbox)).toBe('0 waiting, 1 held');

  await rig.handlers.receipts({ Records: program.records });
  expect(await rig.parked()).toEqual([]);
  expect(await rig.statesOf(sent.at(-1)?.messageId ?? '')).toHaveLength(2);
});

// It was shown 165 s late, and its history had DELIVERED after EXPIRED.
test('qos.deliverDue is a deadline: the program drops what comes after it and reports nothing of it, but takes back what came before', async () => {
  const [outbox, cancellations, receipts] = await Promise.all([newQueue(), newQueue(), newQueue()]);
  const sqs = await startQueues(({ body, forward }) => forward(body));
  const program = await startProgram({ sqs, outbox, cancellations, receipts });
  const message = sample(OutboxMessage, 'messages');
  const messageIds: string[] = [];
  const send = async (deliverDue?: string) => {
    const messageId = `a8d180d1-5ba4-8f4d-a1ef-c507d50c000${messageIds.push('')}`;
    const qos = { ...message.qos, ...(deliverDue === undefined ? {} : { deliverDue }) };
    const body = OutboxMessage.parse({ ...message, qos, messages: [{ messageId, msisdn: 79_001_234_567 }] });
    await sendAll(outbox, [{ body: JSON.stringify(body) }]);
    return messageId;
  };
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
  const dropped = await send(inSeconds(-165));
  // The same moment with another offset: 165 s ago, three hours ahead as text.
  await send(inSeconds(3 * 3_600 - 165).replace('Z', '+03:00'));
  await send(inSeconds(0));
  const lasting = [await send(inSeconds(600)), await send()];
  // The program has started once these are reported.
  await program.receipt(2);
  const soonOver = Date.now() + 3_000;
  const over = await send(new Date(soonOver).toISOString());
  await program.receipt(3);
  await eventually('the deadline passes', () => Date.now() > soonOver);
  const cancel = { partnerId: 'bars', requestId: 'r', messageIds: [dropped, over] };
  await sendAll(cancellations, [{ body: JSON.stringify(cancel) }]);
  await program.receipt(4);
  const { out, err } = await program.stop();
  const received = program.received().map(({ messageId, state }) => [messageId, state]);
  expect(received.slice(0, 3).sort()).toEqual([...lasting, over].map((id) => [id, 'DELIVERED']));
  expect(received.slice(3)).toEqual([[over, 'CANCELLED']]);
  const counts = [...out.matchAll(/^(\d+) messages dropped after their deadline$/gm)].map(([, count]) =>
    Number(count),
  );
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3);
  expect(err).toBe('');
});

test('A cancellation may come before its message: the program shows it no more, and reports each once', async () => {
  const rig = await pushRig();
  const receipts = await newQueue();
  const sqs = await startQueues(({ body, forward }) => forward(body));
  const phones = [79_001_000_001, 79_001_000_002, 79_001_000_003];
  await rig.register(...phones);
  const sent = (await rig.bulk({ ...content, msisdn: phones })).body as Sent[];
  const [early, late] = sent as [Sent, Sent, Sent];
  const { outbox, cancellations } = rig;
  const program = await startProgram({ sqs, outbox, cancellations, receipts });
  const taken = async () => (await countsOf(cancellations)) === '0 waiting, 0 held';
  await rig.cancel(early.messageId, 'message');
  await eventually('the program has taken the cancellation', taken);
  await rig.dispatch();
  await program.receipt(3);
  for (const _repeat of [1, 2]) await rig.cancel(late.messageId, 'message');
  await program.receipt(4);
  await program.stop();
  const statesOf = ({ messageId }: Sent) =>
    program.received().flatMap((one) => (one.messageId === messageId ? [one.state] : []));
  expect(sent.map(statesOf)).toEqual([['CANCELLED'], ['DELIVERED', 'CANCELLED'], ['DELIVERED']]);
  await rig.handlers.receipts({ Records: program.records });
  expect(await rig.parked()).toEqual([]);
  expect((await rig.statesOf(early.messageId)).map((line) => line.split(' ')[0])).toEqual([
    'ENQUEUED',
    'CANCELLED',
  ]);
});

/** Returns the guide's sample message that has the member, which the schema allows. */
function sample<Schema extends z.ZodMiniType>(schema: Schema, member: string): z.input<Schema> {
  const blocks = [...guide.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => JSON.parse(json));
  const shown = blocks.find((block) => member in block);
  schema.parse(shown);
  return shown;
}

test('no message of push-outbox and delivery-receipts is larger than the guide says', async () => {
  const rig = await pushRig();
  const longest = Array.from({ length: 1_000 }, (_, n) => 999_999_999_999_000 + n);
  await rig.register(...longest);
  const partner = { ...bars, partnerId: 'p'.repeat(64), offerIds: ['another'] };
  await rig.createPartner(partner);
  const qos = { deliverFrom: '2026-05-20T12:10:00.000Z' };
  const sendsOf = async (characters: number) => {
    const utm = { more: 'x'.repeat(characters) };
    const body = { ...content, pushType: 'TRANSACTION', qos, utm, msisdn: longest };
    return (await rig.bulk(body, { partner, requestId: 'r'.repeat(16) })).status;
  };
  const { payload } = content;
  const most = 4_096 - Buffer.byteLength(JSON.stringify({ payload, qos, utm: { more: '' } }));
  expect([await sendsOf(most + 1), await sendsOf(most)]).toEqual([400, 200]);
  rig.clock.set(Date.parse('2026-05-20T12:11:00.000Z'));
  await rig.endPassed();
  await rig.dispatch();
  const [largest] = await rig.outbox.drain();
  const receipt = {
    messageId: 'd14b7f8d-a7cc-80b5-b881-6d50d2dd0001',
    msisdn: 999_999_999_999_999,
    state: 'CANCELLED',
    time: '2026-05-20T12:00:00.000+03:00',
  };
  const receipts = { receipts: Array.from({ length: 500 }, () => receipt) };
  ReceiptMessage.parse(receipts);
  const inGuide = ['It has', 'A full message has'].map((words) =>
    Number(RegExp(`^${words} (\\d+) kB at most`, 'm').exec(guide)?.[1]),
  );
  const sizes = [largest?.body, JSON.stringify(receipts)].map((body = '') => Buffer.byteLength(body) / 1_000);
  for (const [n, size] of sizes.entries()) {
    expect(size).toBeLessThanOrEqual(inGuide[n] ?? 0);
    expect(size).toBeGreaterThan(0.9 * (inGuide[n] ?? 0));
  }
});
