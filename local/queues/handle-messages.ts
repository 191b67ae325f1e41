import { cutIntoEvents } from '../functions/cut-into-events.ts';
import type { FunctionPool } from '../functions/function-pool.ts';
import { itemFailures } from '../functions/item-failures.ts';
import type { QueueSource } from '../template/service-model.ts';
import type { QueueClient } from './queue-client.ts';
import { queueRecord, type ReceivedMessage } from './queue-record.ts';

interface MessageHandlerParts {
  readonly source: QueueSource;
  readonly pool: Pick<FunctionPool, 'invoke'>;
  readonly queue: QueueClient;
  /** How long failed messages stay hidden; left out: until the visibility timeout of their receipt ends. */
  readonly retryAfterSeconds?: number;
  readonly signal: AbortSignal;
  readonly warn: (line: string) => void;
}

function groupOf(message: ReceivedMessage): string | undefined {
  return message.Attributes?.['MessageGroupId'];
}

/** Escaping can double a body that is itself JSON. */
function bytesOf({ Body }: ReceivedMessage): number {
  return Buffer.byteLength(JSON.stringify(Body)) + 2_000;
}

/** Handles messages that were received together: invokes the function, deletes what is done, leaves the rest to the queue. */
export function createMessageHandler(parts: MessageHandlerParts) {
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

  const leave = async (messages: readonly ReceivedMessage[]): Promise<void> => {
    if (retryAfterSeconds !== undefined) await queue.hide(messages, retryAfterSeconds);
  };

  /** Handles one event; returns the messages that failed. */
  const handleEvent = async (messages: readonly ReceivedMessage[]): Promise<readonly ReceivedMessage[]> => {
    const failures = await failuresOf(messages);
    // The engine takes back what a stopped function was handling.
    signal.throwIfAborted();
    const { done = [], failed = [] } = Object.groupBy(messages, ({ MessageId }) =>
      failures === 'all' || failures.has(MessageId) ? 'failed' : 'done',
    );
    await queue.remove(done);
    await leave(failed);
    return failed;
  };

  return async (received: readonly ReceivedMessage[]): Promise<void> => {
    const failedGroups = new Set<string>();
    for (const event of cutIntoEvents(received, source.batchSize, bytesOf)) {
      // Later messages of a FIFO group must not overtake one that failed in an earlier event.
      const { open = [], blocked = [] } = Object.groupBy(event, (message) =>
        failedGroups.has(groupOf(message) ?? '') ? 'blocked' : 'open',
      );
      await leave(blocked);
      if (open.length === 0) continue;
      for (const message of await handleEvent(open)) {
        const group = groupOf(message);
        if (group !== undefined) failedGroups.add(group);
      }
    }
  };
}
