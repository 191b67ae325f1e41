import { availableParallelism } from 'node:os';
import type { FunctionPool } from '../functions/function-pool.ts';
import type { Log } from '../log.ts';
import { type Poller, type Polling, poll } from '../poller.ts';
import { type MessageHandlerParts, messageHandler } from './handle-messages.ts';
import type { ReceivedMessage } from './queue-client.ts';

type QueuePollerParts = Omit<MessageHandlerParts, keyof Polling> & {
  pool: FunctionPool;
  log: Log;
};

/** Batches also wait for partners, so more run at once than there are processors. Many more would slow each other down. */
const maxBatches = 2 * availableParallelism();

/** Runs one SQS event source mapping. Messages that are received together are handled together. */
export function pollQueue({ log, ...parts }: QueuePollerParts): Poller {
  const { source, pool, queue } = parts;
  const concurrency = Math.max(1, Math.min(source.maximumConcurrency, pool.concurrency, maxBatches));
  /** Messages that are being handled, by the promise of their batch. */
  const inFlight = new Map<Promise<void>, readonly ReceivedMessage[]>();
  const poller = poll(source.functionName, log, ({ signal, warn }) => {
    const handle = messageHandler({ ...parts, signal, warn });
    return async () => {
      // Receive only what can start at once, because its visibility timeout is running.
      if (inFlight.size >= concurrency) await Promise.race(inFlight.keys());
      const messages = await queue.receive(source.batchSize, signal);
      if (messages.length === 0) return;
      const handling = handle(messages)
        .catch((error: unknown) => warn(String(error)))
        .finally(() => {
          if (!signal.aborted) inFlight.delete(handling);
        });
      inFlight.set(handling, messages);
    };
  });
  return {
    stop: async () => {
      await poller.stop();
      // Make them visible now, not after their visibility timeout.
      await Promise.allSettled([...inFlight.values()].map((messages) => queue.hide(messages, 0)));
    },
  };
}
