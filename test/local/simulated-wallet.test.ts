import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { queueUrl } from '../../local/engines/create-queues.ts';
import { startEngines } from '../../local/engines/engines.ts';
import { seededRandom } from '../../local/rng.ts';
import { receiptWaves, usualWallet, type WalletBehavior } from '../../local/simulators/receipt-waves.ts';
import { startWalletSimulator } from '../../local/simulators/wallet.ts';
import type { Receipt } from '../../shared/push/receipt.ts';
import { eventually, temporaryFolder } from './fixtures/fixture-service.ts';

function queue(name: string) {
  return { name, visibilityTimeoutSeconds: 30, attributes: {} };
}

const punctual = { delayMs: 10, duplicateRate: 0, reorderRate: 0 };

/** Queues, and a simulator on them that ends with the test. */
async function walletRig() {
  const { sqs, sqsEndpoint, stop } = await startEngines({
    stateDir: temporaryFolder(),
    tables: [],
    queues: [queue('push-outbox'), queue('delivery-receipts')],
    endpoints: {},
    onLost: () => undefined,
  });
  onTestFinished(stop);
  const outboxUrl = queueUrl(sqsEndpoint, 'push-outbox');
  const receiptsUrl = queueUrl(sqsEndpoint, 'delivery-receipts');
  const warnings: string[] = [];
  const start = async () => {
    const log = { info: () => undefined, warn: (line: string) => void warnings.push(line) };
    const parts = { port: 0, sqs, outboxUrl, receiptsUrl, log };
    const wallet = await startWalletSimulator({ ...parts, behavior: punctual });
    onTestFinished(wallet.stop);
    const devices = async () => (await (await fetch(`${wallet.url}/devices`)).json()) as { shown: object[] };
    return { devices };
  };
  const send = (body: unknown) =>
    sqs('SendMessage', {
      QueueUrl: outboxUrl,
      MessageBody: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const takeReceipts = async (): Promise<Receipt[][]> => {
    const { Messages = [] } = await sqs<{ Messages?: { Body: string; ReceiptHandle: string }[] }>(
      'ReceiveMessage',
      { QueueUrl: receiptsUrl, MaxNumberOfMessages: 10 },
    );
    for (const { ReceiptHandle } of Messages)
      await sqs('DeleteMessage', { QueueUrl: receiptsUrl, ReceiptHandle });
    return Messages.map(({ Body }) => JSON.parse(Body).receipts);
  };
  /** The messages of delivery-receipts until they hold so many receipts. */
  const receipts = async (count: number): Promise<Receipt[][]> => {
    const taken: Receipt[][] = [];
    await eventually(`${count} receipts`, async () => {
      taken.push(...(await takeReceipts()));
      return taken.flat().length >= count;
    });
    return taken;
  };
  const left = async () => {
    const { Attributes } = await sqs<{ Attributes: Record<string, string> }>('GetQueueAttributes', {
      QueueUrl: outboxUrl,
      AttributeNames: ['All'],
    });
    const { ApproximateNumberOfMessages: waiting, ApproximateNumberOfMessagesNotVisible: held } = Attributes;
    return Number(waiting) + Number(held);
  };
  return { start, send, receipts, left, warnings };
}

function recipients(count: number) {
  return Array.from({ length: count }, (_, n) => ({ messageId: randomUUID(), msisdn: 79_000_000_000 + n }));
}

function outbox(messages: readonly object[]) {
  return {
    partnerId: 'bars',
    acceptedAt: '2026-05-20T12:00:00.000Z',
    pushType: 'SERVICE',
    payload: { title: 'Стол готов', message: 'Ждём вас' },
    messages,
  };
}

test('a message is shown, reported delivered and then opened, and taken out of the queue', async () => {
  const { start, send, receipts, left } = await walletRig();
  const { devices } = await start();
  const [one] = recipients(1);
  await send(outbox([one as object]));
  const [delivered, opened] = (await receipts(2)).flat();
  expect([delivered, opened]).toMatchObject([
    { ...one, state: 'DELIVERED' },
    { ...one, state: 'OPENED' },
  ]);
  expect(Date.parse(opened?.time ?? '') - Date.parse(delivered?.time ?? '')).toBe(10);
  expect(await devices()).toMatchObject({
    messages: 1,
    recipients: 1,
    repeated: 0,
    invalid: 0,
    shown: [{ ...one, partnerId: 'bars', pushType: 'SERVICE', payload: { title: 'Стол готов' } }],
  });
  await eventually('an empty push-outbox', async () => (await left()) === 0);
});

test('10,000 recipients are reported twice each, and the last hundred are remembered', async () => {
  const { start, send, receipts } = await walletRig();
  const { devices } = await start();
  const all = recipients(10_000);
  for (let n = 0; n < all.length; n += 1_000) await send(outbox(all.slice(n, n + 1_000)));
  const messages = await receipts(20_000);
  expect(Math.max(...messages.map(({ length }) => length))).toBeLessThanOrEqual(500);
  const reported = new Set(messages.flat().map(({ messageId, state }) => `${messageId} ${state}`));
  expect(reported.size).toBe(20_000);
  const seen = await devices();
  expect(seen).toMatchObject({ messages: 10, recipients: 10_000 });
  expect(seen.shown).toHaveLength(100);
});

test('a message that breaks the published schema is reported, counted and gets no receipts', async () => {
  const { start, send, receipts, left, warnings } = await walletRig();
  const { devices } = await start();
  await send(outbox([{ messageId: 'not-a-uuid', msisdn: 79_001_234_567 }]));
  await send('{');
  const [one] = recipients(1);
  await send(outbox([one as object]));
  expect((await receipts(2)).flat().map(({ messageId }) => messageId)).toEqual([
    one?.messageId,
    one?.messageId,
  ]);
  expect(await devices()).toMatchObject({ recipients: 1, invalid: 2 });
  expect(warnings).toHaveLength(2);
  expect(warnings.join('\n')).toContain('BREAKS ITS SCHEMA: message.messages[0].messageId');
  await eventually('an empty push-outbox', async () => (await left()) === 0);
});

test('repeats and disorder follow from the seed', () => {
  const waves = (behavior: Partial<WalletBehavior>) => {
    const all = { ...usualWallet, ...behavior };
    return receiptWaves(
      [
        { messageId: 'a', msisdn: 1 },
        { messageId: 'b', msisdn: 2 },
      ],
      0,
      { ...all, random: seededRandom(all.seed) },
    ).map((wave) => wave.map(({ messageId, state, time }) => `${messageId} ${state} ${time.slice(17)}`));
  };
  const a = ['a DELIVERED 00.300Z', 'a OPENED 00.600Z'];
  const b = ['b DELIVERED 00.300Z', 'b OPENED 00.600Z'];
  expect(waves({ duplicateRate: 0, reorderRate: 0 })).toEqual([[a?.[0], b?.[0]], [a?.[1], b?.[1]], [], []]);
  // Late, but with the time it happened.
  expect(waves({ duplicateRate: 0, reorderRate: 1 })).toEqual([[], [a?.[1], b?.[1]], [a?.[0], b?.[0]], []]);
  expect(waves({ duplicateRate: 1, reorderRate: 0 }).flat()).toHaveLength(8);
  const many = (seed: number) => {
    const random = seededRandom(seed);
    return receiptWaves(recipients(5_000), 0, { ...usualWallet, random }).map(({ length }) => length);
  };
  expect(many(1)).toEqual(many(1));
  expect(many(1)).not.toEqual(many(2));
});
