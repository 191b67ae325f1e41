import { setTimeout as delay } from 'node:timers/promises';
import { queueUrl } from '../engines/create-queues.ts';
import type { Call } from '../engines/json-call.ts';
import type { FunctionPool } from '../functions/function-pool.ts';
import type { Log } from '../log.ts';
import type { Poller } from '../poller.ts';
import type { QueueSource } from '../template/event-sources.ts';
import { createMessageHandler, type UnderWay } from './handle-messages.ts';
import { type QueueClient, queueClient } from './queue-client.ts';
import type { ReceivedMessage } from './queue-record.ts';

export interface QueuePollerParts {
  readonly source: QueueSource;
  readonly pool: FunctionPool;
  readonly sqs: Call;
  readonly sqsEndpoint: string;
  readonly visibilityTimeoutSeconds: number;
  /** Divides the time that failed messages wait: 1 is real time. */
  readonly retrySpeed: number;
  readonly log: Log;
}

interface Polling {
  readonly source: QueueSource;
  readonly queue: QueueClient;
  readonly underWay: UnderWay;
  readonly concurrency: number;
  readonly handle: (messages: readonly ReceivedMessage[]) => Promise<void>;
  readonly warn: (line: string) => void;
  readonly signal: AbortSignal;
}

const longPollSeconds = 20;

/**
 * Batches at once where the template sets no number. Lambda begins with five and goes on to hundreds; here they
 * share one table engine, which two keep busy, and with ten of them writes waited until they timed out.
 */
const usualConcurrency = 2;

/** Waits for a first message, then for a full batch or the end of the batching window. */
async function gather({ source, queue, underWay, signal }: Polling): Promise<readonly ReceivedMessage[]> {
  const receive = async (count: number, waitSeconds: number): Promise<readonly ReceivedMessage[]> => {
    const messages = await queue.receive(count, waitSeconds, signal);
    for (const message of messages) underWay.set(message.MessageId, message);
    return messages;
  };
  const gathered = [...(await receive(source.batchSize, longPollSeconds))];
  const deadline = performance.now() + source.batchingWindowSeconds * 1000;
  while (gathered.length > 0 && gathered.length < source.batchSize) {
    const remainingMs = deadline - performance.now();
    if (remainingMs <= 0) break;
    const more = await receive(
      source.batchSize - gathered.length,
      Math.min(1, Math.floor(remainingMs / 1000)),
    );
    gathered.push(...more);
    if (more.length === 0) await delay(Math.min(remainingMs, 20), undefined, { signal });
  }
  return gathered;
}

async function poll(polling: Polling): Promise<void> {
  const { handle, warn, signal, concurrency } = polling;
  const running = new Set<Promise<void>>();
  while (!signal.aborted) {
    // Nothing is received that could not start at once: it would use up its visibility timeout waiting.
    if (running.size >= concurrency) await Promise.race(running);
    try {
      const messages = await gather(polling);
      if (messages.length === 0) continue;
      const task = handle(messages).catch((error: unknown) => warn(String(error)));
      running.add(task);
      task.finally(() => running.delete(task));
    } catch (error) {
      warn(String(error));
      await delay(500, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Runs one SQS event source mapping. */
export function pollQueue(parts: QueuePollerParts): Poller {
  const { source, pool, sqs, log } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const warn = (line: string): void => {
    if (!signal.aborted) log.warn(`${source.functionName}: ${line}`);
  };
  const underWay: UnderWay = new Map();
  const queue = queueClient(sqs, queueUrl(parts.sqsEndpoint, source.queueName));
  const handle = createMessageHandler({ ...parts, queue, signal, warn }, underWay);
  const allowed = Math.min(source.maximumConcurrency ?? usualConcurrency, pool.concurrency);
  const polling = poll({ source, queue, underWay, concurrency: Math.max(1, allowed), handle, warn, signal });
  return {
    stop: async () => {
      stopping.abort();
      await polling;
      // Visible again at once, instead of after their visibility timeout.
      await queue.hide([...underWay.values()], 0).catch(() => undefined);
    },
  };
}
