import type { FunctionPool } from '../functions/function-pool.ts';
import { itemFailures } from '../functions/item-failures.ts';
import { compileFilters } from '../patterns/event-pattern.ts';
import type { QueueSource } from '../template/event-sources.ts';
import type { QueueClient } from './queue-client.ts';
import { cutIntoBatches, filterable, queueRecord, type ReceivedMessage } from './queue-record.ts';

export interface MessageHandlerParts {
  readonly source: QueueSource;
  readonly pool: FunctionPool;
  readonly queue: QueueClient;
  readonly visibilityTimeoutSeconds: number;
  readonly retrySpeed: number;
  readonly signal: AbortSignal;
  readonly warn: (line: string) => void;
}

/** Messages that were received and are neither deleted nor given back yet. */
export type UnderWay = Map<string, ReceivedMessage>;

function groupOf(message: ReceivedMessage): string | undefined {
  return message.Attributes?.['MessageGroupId'];
}

/** Handles what one poll received: drops, invokes, deletes what is done and leaves the rest to the queue. */
export function createMessageHandler(parts: MessageHandlerParts, underWay: UnderWay) {
  const { source, pool, queue } = parts;
  const passes = compileFilters(source.filters);
  const isFifo = source.queueName.endsWith('.fifo');

  const forget = (messages: readonly ReceivedMessage[]): void => {
    for (const { MessageId } of messages) underWay.delete(MessageId);
  };

  /** As in Lambda, failed messages stay hidden until the visibility timeout of their receipt ends. */
  const giveBack = async (messages: readonly ReceivedMessage[]): Promise<void> => {
    if (parts.retrySpeed !== 1) {
      await queue.hide(messages, Math.round(parts.visibilityTimeoutSeconds / parts.retrySpeed));
    }
    forget(messages);
  };

  const failuresOf = async (batch: readonly ReceivedMessage[]): Promise<ReadonlySet<string> | 'all'> => {
    try {
      const { payload } = await pool.invoke({
        Records: batch.map((message) => queueRecord(message, source.queueArn)),
      });
      if (!source.reportsItemFailures) return new Set();
      return itemFailures(payload, new Set(batch.map(({ MessageId }) => MessageId)));
    } catch (error) {
      parts.warn(`${batch.length} messages failed: ${error}`);
      return 'all';
    }
  };

  /** Handles one event; returns the messages that failed. */
  const handleBatch = async (batch: readonly ReceivedMessage[]): Promise<readonly ReceivedMessage[]> => {
    const failures = await failuresOf(batch);
    if (parts.signal.aborted) return batch;
    const hasFailed = ({ MessageId }: ReceivedMessage) => failures === 'all' || failures.has(MessageId);
    const failed = batch.filter(hasFailed);
    const done = batch.filter((message) => !hasFailed(message));
    await queue.remove(done);
    forget(done);
    await giveBack(failed);
    return failed;
  };

  /** Messages that the filter does not want are deleted, as by Lambda. */
  const dropUnwanted = async (messages: readonly ReceivedMessage[]): Promise<readonly ReceivedMessage[]> => {
    if (source.filters.length === 0) return messages;
    const wanted = new Set(messages.filter((message) => passes(filterable(message, source.queueArn))));
    const unwanted = messages.filter((message) => !wanted.has(message));
    await queue.remove(unwanted);
    forget(unwanted);
    return [...wanted];
  };

  return async (messages: readonly ReceivedMessage[]): Promise<void> => {
    const failedGroups = new Set<string | undefined>();
    for (const batch of cutIntoBatches(await dropUnwanted(messages), source.batchSize)) {
      // Later messages of a FIFO group must not overtake one that failed in an earlier event.
      const blocked = isFifo ? batch.filter((message) => failedGroups.has(groupOf(message))) : [];
      await giveBack(blocked);
      const open = batch.filter((message) => !blocked.includes(message));
      if (open.length === 0) continue;
      for (const message of await handleBatch(open)) failedGroups.add(groupOf(message));
    }
  };
}
