import { setTimeout as delay } from 'node:timers/promises';
import { OutboxMessage } from '../../shared/push/outbox-message.ts';
import { restoreNumbers } from '../../shared/runtime/json-numbers.ts';
import { formatIssues, parse } from '../../shared/validation/format-issues.ts';
import type { Call } from '../engines/json-call.ts';
import type { Log } from '../log.ts';
import { type QueueClient, queueClient } from '../queues/queue-client.ts';
import type { ReceivedMessage } from '../queues/queue-record.ts';
import { seededRandom } from '../rng.ts';
import { startLoopbackServer } from './loopback-server.ts';
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

export interface WalletSimulator {
  /** Below it: `/devices`. */
  readonly url: string;
  stop(): Promise<void>;
}

const longPollSeconds = 20;
const messagesPerReceive = 10;

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

/** Shows messages of a batch at once, and reports later what became of them. */
function createHandler(parts: WalletParts, queue: QueueClient, signal: AbortSignal) {
  const behavior = { ...usualWallet, ...parts.behavior };
  const random = seededRandom(behavior.seed);
  const screens = createScreens();
  const sendReceipts = createReceiptSender(parts.sqs, parts.receiptsUrl);

  const show = (received: readonly ReceivedMessage[]): OutboxMessage['messages'] =>
    received.flatMap(({ MessageId, Body }) => {
      const read = readMessage(Body);
      if ('message' in read) {
        screens.show(read.message);
        return read.message.messages;
      }
      screens.countInvalid();
      parts.log.warn(`wallet: message ${MessageId} of push-outbox BREAKS ITS SCHEMA: ${read.wrong}`);
      return [];
    });

  const handle = async (received: readonly ReceivedMessage[]): Promise<void> => {
    const waves = receiptWaves(show(received), Date.now(), { ...behavior, random });
    for (const wave of waves) {
      if (wave.length === 0) continue;
      await delay(behavior.delayMs, undefined, { signal });
      await sendReceipts(wave);
    }
    // Only now: a simulator that stops before finds them again, and reports once more.
    await queue.remove(received);
  };
  return { handle, seen: screens.seen };
}

/** Stands for the wallet platform: takes messages from push-outbox and sends receipts to delivery-receipts. */
export async function startWalletSimulator(parts: WalletParts): Promise<WalletSimulator> {
  const queue = queueClient(parts.sqs, parts.outboxUrl);
  const stopping = new AbortController();
  const { signal } = stopping;
  const underWay = new Map<readonly ReceivedMessage[], Promise<void>>();
  const { handle, seen } = createHandler(parts, queue, signal);
  const warn = (error: unknown): void => {
    if (!signal.aborted) parts.log.warn(`wallet: ${error}`);
  };

  const take = (received: readonly ReceivedMessage[]): void => {
    const handling = handle(received).then(() => {
      underWay.delete(received);
    });
    underWay.set(received, handling);
    handling.catch(warn);
  };
  const pollForEver = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        const received = await queue.receive(messagesPerReceive, longPollSeconds, signal);
        if (received.length > 0) take(received);
      } catch (error) {
        warn(error);
        await delay(500, undefined, { signal }).catch(() => undefined);
      }
    }
  };
  const server = await startLoopbackServer(parts.port, {
    'GET /devices': () => ({ status: 200, json: seen() }),
  });
  const polling = pollForEver();
  return {
    url: server.url,
    stop: async () => {
      stopping.abort();
      await polling;
      await Promise.allSettled(underWay.values());
      await queue.hide([...underWay.keys()].flat(), 0).catch(() => undefined);
      await server.stop();
    },
  };
}
