import { OutboxMessage } from '../../shared/push/outbox-message.ts';
import { receiptsPerMessage } from '../../shared/push/receipt.ts';
import { type DueReceipt, receiptsOf } from '../../shared/push/test-numbers.ts';
import { combiningWorker, type Delivery, type Part } from '../../shared/queues/queue-worker.ts';
import { type Message, type Queue, sendInAnyOrder } from '../../shared/queues/send-all.ts';
import type { Pause } from '../../shared/runtime/backoff.ts';
import type { Clock } from '../../shared/runtime/clock.ts';
import { inGroups } from '../../shared/runtime/in-groups.ts';

type Deps = {
  queue: Queue;
  clock: Clock;
  /** From the arrival of a message to its delivery, and from there to its opening. */
  delaySeconds: number;
  pause?: Pause;
};

/**
 * The simulated wallet platform: sends a receipt for everything that a device would report, when it would. A message
 * that cannot be read fails every attempt and reaches the dead-letter queue, since only this service writes them.
 */
export function showMessages(deps: Deps) {
  return combiningWorker('ShowMessages', {
    read: (delivery) => readReceipts(deps, delivery),
    // All receipts of a batch travel together.
    groupOf: () => 'all',
    apply: (parts) => sendInAnyOrder(deps.queue, messagesOf(parts), deps.pause),
    readsAtOnce: 1,
    groupsAtOnce: 1,
  });
}

async function readReceipts(
  { clock, delaySeconds }: Deps,
  { record, work }: Delivery,
): Promise<DueReceipt[]> {
  const { messages, requestId } = OutboxMessage.parse(JSON.parse(record.body));
  work.addFields({ recipients: messages.length, requestIds: [requestId] });
  const now = clock.now();
  return messages.flatMap((message) => receiptsOf(message, now, delaySeconds));
}

function messagesOf(parts: readonly Part<DueReceipt>[]): Message[] {
  const byDelay = Map.groupBy(
    parts.map(({ item }) => item),
    ({ afterSeconds }) => afterSeconds,
  );
  return [...byDelay].flatMap(([delaySeconds, due]) =>
    inGroups(due, receiptsPerMessage).map((group, n) => ({
      id: `${delaySeconds}-${n}`,
      body: JSON.stringify({ receipts: group.map(({ receipt }) => receipt) }),
      delaySeconds,
    })),
  );
}
