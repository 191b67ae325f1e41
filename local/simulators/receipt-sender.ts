import { setTimeout as delay } from 'node:timers/promises';
import type { Receipt } from '../../shared/push/receipt.ts';
import type { Call } from '../engines/json-call.ts';

/**
 * The service takes 500. A batch of ten such messages is 5,000 writes, which one table engine on a busy laptop may
 * not finish within the function's 30 s.
 */
const receiptsPerMessage = 100;
const messagesPerBatch = 10;
/** Receipts of many small messages travel together. */
const gatherMs = 20;

function inChunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) =>
    items.slice(n * size, (n + 1) * size),
  );
}

async function sendNow(sqs: Call, QueueUrl: string, receipts: readonly Receipt[]): Promise<void> {
  for (const batch of inChunks(inChunks(receipts, receiptsPerMessage), messagesPerBatch)) {
    const Entries = batch.map((part, n) => ({
      Id: String(n),
      MessageBody: JSON.stringify({ receipts: part }),
    }));
    const { Failed = [] } = await sqs<{ Failed?: unknown[] }>('SendMessageBatch', { QueueUrl, Entries });
    if (Failed.length > 0) throw new Error(`The queue refused ${Failed.length} messages of receipts.`);
  }
}

/** Sends receipts; what is handed over within a moment goes together. Resolves when the queue has them. */
export function createReceiptSender(sqs: Call, queueUrl: string) {
  let waiting: Receipt[] = [];
  let sending: Promise<void> | undefined;
  const gatherAndSend = async (): Promise<void> => {
    await delay(gatherMs);
    const receipts = waiting;
    waiting = [];
    sending = undefined;
    await sendNow(sqs, queueUrl, receipts);
  };
  return (receipts: readonly Receipt[]): Promise<void> => {
    if (receipts.length === 0) return Promise.resolve();
    waiting = waiting.concat(receipts);
    sending ??= gatherAndSend();
    return sending;
  };
}
