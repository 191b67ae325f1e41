import type { Work } from '../../shared/platform/logging/log.ts';
import { parkedStore } from '../../shared/platform/queues/parked-store.ts';
import { connectQueue } from '../../shared/platform/queues/queue.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { streamToQueue } from '../../shared/platform/stream/stream-to-queue.ts';
import { isMarked } from '../../shared/platform/table/stream-markers.ts';
import { tableDeps } from '../../shared/platform/table/table.ts';
import { deadlineOf } from '../../shared/push/deadlines/deadline.ts';
import { deliveryStateStore } from '../../shared/push/delivery-state-store.ts';
import { messageReader } from '../../shared/push/message-reader.ts';
import { parseSend, type Send } from '../../shared/push/message-rows.ts';
import type { OutboxMessage } from '../../shared/push/sending/outbox-message.ts';

type Deps = ReturnType<typeof connect>;
/** A message of push-outbox, void from its deadline on (ms). */
type Outgoing = { body: string; group: string; deadline: number };

/**
 * Sends messages to the wallet platform when they are accepted or, if they were scheduled, released: a send with at least
 * one registered recipient becomes messages of push-outbox, one content with many recipients in each. Nothing is sent
 * after its deadline, and no message that was cancelled before the release.
 */
export function dispatchMessages(deps: Deps = connect()) {
  return streamToQueue('DispatchMessages', deps, {
    marker: 'dispatch',
    read: ({ row, before }) => ({
      send: parseSend(row as Record<string, unknown>),
      // Any later change of the row has the marker too, and must not send again.
      isNew: !isMarked(before, 'dispatch'),
    }),
    toItems: ({ send, isNew }, _known, addMetrics) => (isNew ? prepareOutgoing(deps, send, addMetrics) : []),
    // Checked before each try: the deadline may pass while the queue does not take the batch.
    toMessage: (items) => {
      const { body, group, deadline } = items[0] as Outgoing;
      return { body, group, isVoid: () => deadline <= deps.clock.now() };
    },
  });
}

async function prepareOutgoing({ messages, states }: Deps, send: Send, addMetrics: Work['addMetrics']) {
  const { partnerId, requestId } = send;
  const acceptedAt = new Date(send.acceptedAt).toISOString();
  const releasedAt = send.releasedAt === undefined ? undefined : new Date(send.releasedAt).toISOString();
  const someCancelled = 'bulkId' in send && send.someCancelled === true;
  const outgoing: Outgoing[] = [];
  for await (const part of messages.readMessages(send)) {
    const ids = part.map(({ messageId }) => messageId);
    const recorded = someCancelled ? await states.findMany(ids, { consistent: true }) : undefined;
    const isCancelled = (messageId: string) =>
      recorded?.get(messageId)?.some(({ state }) => state === 'CANCELLED');
    const registered = part.filter((message) => message.registered && !isCancelled(message.messageId));
    // Recipients of one content share the object that was read, and fit into a message of push-outbox.
    for (const [content, group] of Map.groupBy(registered, (message) => message.content)) {
      addMetrics({ PushesDispatched: group.length });
      const to = group.map(({ messageId, msisdn }) => ({ messageId, msisdn }));
      const body: OutboxMessage = { partnerId, acceptedAt, releasedAt, requestId, ...content, messages: to };
      const deadline = deadlineOf(content) ?? Infinity;
      outgoing.push({ body: JSON.stringify(body), group: partnerId, deadline });
    }
  }
  return outgoing;
}

function connect() {
  const queue = connectQueue(readEnv('OUTBOX_QUEUE_URL'));
  return {
    ...tableDeps({ parked: parkedStore, messages: messageReader, states: deliveryStateStore }),
    queue,
  };
}
