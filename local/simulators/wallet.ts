import { setTimeout as delay } from 'node:timers/promises';
import { OutboxMessage } from '../../shared/push/outbox-message.ts';
import { restoreNumbers } from '../../shared/runtime/json-numbers.ts';
import { formatIssues, parse } from '../../shared/validation/format-issues.ts';
import type { Call } from '../engines/json-call.ts';
import type { Log } from '../log.ts';
import type { Polling } from '../poller.ts';
import { receiveMessages } from '../queues/poll-queue.ts';
import { type QueueClient, queueClient } from '../queues/queue-client.ts';
import type { ReceivedMessage } from '../queues/queue-record.ts';
import { seededRandom } from '../rng.ts';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts';
import { createReceiptSender } from './receipt-sender.ts';
import { receiptWaves, usualWallet, type WalletBehavior } from './receipt-waves.ts';
import { createScreens } from './screens.ts';

interface WalletParts {
  readonly port: number;
  readonly sqs: Call;
  readonly outboxUrl: string;
  readonly receiptsUrl: string;
  readonly behavior: Partial<WalletBehavior>;
  readonly log: Log;
}

type Read = { readonly message: OutboxMessage } | { readonly wrong: string };

function readMessage(body: string): Read {
  try {
    const parsed = parse(OutboxMessage, JSON.parse(body));
    return parsed.success
      ? { message: restoreNumbers(parsed.data, body) }
      : { wrong: formatIssues(parsed.error, 'message').join('; ') };
  } catch (error) {
    return { wrong: String(error) };
  }
}

interface HandlerParts extends WalletParts, Polling {
  readonly queue: QueueClient;
  readonly screens: ReturnType<typeof createScreens>;
}

/** Shows messages of a batch at once, and reports later what became of them. */
function createHandler({ queue, screens, signal, warn, ...parts }: HandlerParts) {
  const behavior = { ...usualWallet, ...parts.behavior };
  const random = seededRandom(behavior.seed);
  const sendReceipts = createReceiptSender(parts.sqs, parts.receiptsUrl);

  const show = (received: readonly ReceivedMessage[]): OutboxMessage['messages'] =>
    received.flatMap(({ MessageId, Body }) => {
      const read = readMessage(Body);
      if ('message' in read) {
        screens.show(read.message);
        return read.message.messages;
      }
      screens.countInvalid();
      warn(`message ${MessageId} of push-outbox BREAKS ITS SCHEMA: ${read.wrong}`);
      return [];
    });

  return async (received: readonly ReceivedMessage[]): Promise<void> => {
    const waves = receiptWaves(show(received), Date.now(), { ...behavior, random });
    for (const wave of waves) {
      if (wave.length === 0) continue;
      await delay(behavior.delayMs, undefined, { signal });
      await sendReceipts(wave);
    }
    // Only now: a simulator that stops before finds them again, and reports once more.
    await queue.remove(received);
  };
}

/** Stands for the wallet platform: takes messages from push-outbox and sends receipts to delivery-receipts. */
export async function startWalletSimulator(parts: WalletParts): Promise<LoopbackServer> {
  const queue = queueClient(parts.sqs, parts.outboxUrl);
  const screens = createScreens();
  const server = await startLoopbackServer(parts.port, {
    'GET /devices': () => ({ status: 200, json: screens.seen() }),
  });
  const poller = receiveMessages(
    { name: 'wallet', queue, batchSize: 10, concurrency: Number.POSITIVE_INFINITY, log: parts.log },
    (polling) => createHandler({ ...parts, ...polling, queue, screens }),
  );
  return {
    url: server.url,
    stop: async () => {
      await poller.stop();
      await server.stop();
    },
  };
}
