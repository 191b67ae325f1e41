import { cutIntoEvents } from '../functions/cut-into-events.ts';
import type { FunctionPool } from '../functions/function-pool.ts';
import { itemFailures } from '../functions/item-failures.ts';
import type { Polling } from '../poller.ts';
import type { QueueSource } from '../template/service-model.ts';
import { type QueueClient, queueRecord, type ReceivedMessage } from './queue-client.ts';

export type MessageHandlerParts = Polling & {
  source: QueueSource;
  pool: Pick<FunctionPool, 'invoke'>;
  queue: QueueClient;
  /** How long failed messages stay hidden. The default is the rest of their visibility timeout. */
  retryAfterSeconds?: number;
};

/**
 * Handles messages that were received together: invokes the function, deletes what it has done, and leaves the rest to
 * the queue. A receive has one message of a FIFO group at most, so none can overtake another.
 */
export function messageHandler(parts: MessageHandlerParts) {
  const { source, pool, queue, retryAfterSeconds, signal, warn } = parts;

  const failuresOf = async (messages: readonly ReceivedMessage[]): Promise<ReadonlySet<string> | 'all'> => {
    try {
      const Records = messages.map((message) => queueRecord(message, source.queueArn));
      const { payload } = await pool.invoke({ Records });
      return itemFailures(payload, new Set(messages.map(({ MessageId }) => MessageId)));
    } catch (error) {
      warn(`${messages.length} messages failed: ${error}`);
      return 'all';
    }
  };

  const handleEvent = async (messages: readonly ReceivedMessage[]): Promise<void> => {
    const failures = await failuresOf(messages);
    // After a stop, the engine makes the messages visible again.
    signal.throwIfAborted();
    const { done = [], failed = [] } = Object.groupBy(messages, ({ MessageId }) =>
      failures === 'all' || failures.has(MessageId) ? 'failed' : 'done',
    );
    await queue.remove(done);
    if (retryAfterSeconds !== undefined) await queue.hide(failed, retryAfterSeconds);
  };

  return async (received: readonly ReceivedMessage[]): Promise<void> => {
    for (const event of cutIntoEvents(received, source.batchSize)) await handleEvent(event);
  };
}
