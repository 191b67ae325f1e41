import { setTimeout as delay } from 'node:timers/promises';
import type { FunctionPool } from '../functions/function-pool.ts';
import type { Log } from '../log.ts';
import type { Poller } from '../poller.ts';
import type { QueueSource } from '../template/event-sources.ts';
import { createMessageHandler } from './handle-messages.ts';
import type { QueueClient } from './queue-client.ts';
import type { ReceivedMessage } from './queue-record.ts';

interface QueuePollerParts {
  readonly source: QueueSource;
  readonly pool: FunctionPool;
  readonly queue: QueueClient;
  /** How long failed messages stay hidden; left out: until the visibility timeout of their receipt ends. */
  readonly retryAfterSeconds?: number;
  readonly log: Log;
}

const longPollSeconds = 20;
const pauseAfterErrorMs = 500;

/** Runs one SQS event source mapping. */
export function pollQueue({ log, ...parts }: QueuePollerParts): Poller {
  const { source, pool, queue } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const warn = (line: string): void => {
    if (!signal.aborted) log.warn(`${source.functionName}: ${line}`);
  };
  const handle = createMessageHandler({ ...parts, signal, warn });
  /** What was received together and is neither deleted nor left to the queue yet. */
  const inFlight = new Map<Promise<void>, readonly ReceivedMessage[]>();
  const concurrency = Math.max(1, Math.min(source.maximumConcurrency, pool.concurrency));

  const receive = async (): Promise<void> => {
    // Nothing is received that could not start at once: its visibility timeout would run while it waits.
    if (inFlight.size >= concurrency) await Promise.race(inFlight.keys());
    const messages = await queue.receive(source.batchSize, longPollSeconds, signal);
    if (messages.length === 0) return;
    const handling = handle(messages)
      .catch((error: unknown) => warn(String(error)))
      .finally(() => {
        if (!signal.aborted) inFlight.delete(handling);
      });
    inFlight.set(handling, messages);
  };

  const poll = async (): Promise<void> => {
    while (!signal.aborted) {
      await receive().catch(async (error: unknown) => {
        warn(String(error));
        await delay(pauseAfterErrorMs, undefined, { signal }).catch(() => undefined);
      });
    }
  };

  const polling = poll();
  return {
    stop: async () => {
      stopping.abort();
      await polling;
      // Visible again at once, instead of after their visibility timeout.
      await queue.hide([...inFlight.values()].flat(), 0).catch(() => undefined);
    },
  };
}
