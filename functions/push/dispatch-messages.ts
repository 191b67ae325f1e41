import type { Work } from '../../shared/platform/logging/log.ts';
import { parkedStore } from '../../shared/platform/queues/parked-store.ts';
import { connectQueue } from '../../shared/platform/queues/queue.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { streamToQueue } from '../../shared/platform/stream/stream-to-queue.ts';
import { tableDeps } from '../../shared/platform/table/table-deps.ts';
import { isOver } from '../../shared/push/deadlines/deadline.ts';
import { parseSend, type Send } from '../../shared/push/message-rows.ts';
import { messageStore } from '../../shared/push/message-store.ts';
import type { OutboxMessage } from '../../shared/push/sending/outbox-message.ts';
import type { PushContent } from '../../shared/push/sending/push-content.ts';

type Deps = ReturnType<typeof connect>;
/** A message of push-outbox, void once the deadline of its content has passed. */
type Outgoing = { content: PushContent; body: string };

/**
 * Sends accepted messages to the wallet platform: a send with at least one registered recipient becomes messages
 * of push-outbox, one content with many recipients in each. Nothing is sent after its deadline.
 */
export function dispatchMessages(deps: Deps = connect()) {
  return streamToQueue('DispatchMessages', deps, {
    read: ({ row }) => parseSend(row as Record<string, unknown>),
    unreadable: 'not an accepted message or bulk send',
    lookUp: async () => undefined,
    toItems: (send, _known, addMetrics) => prepareOutgoing(deps, send, addMetrics),
    // Checked before each try: the deadline may pass while the queue does not take the batch.
    toMessage: (items) => {
      const { content, body } = items[0] as Outgoing;
      return { body, isVoid: () => isOver(content, deps.clock.now()) };
    },
  });
}

async function prepareOutgoing({ messages }: Deps, send: Send, addMetrics: Work['addMetrics']) {
  const { partnerId, requestId } = send;
  const acceptedAt = new Date(send.acceptedAt).toISOString();
  const outgoing: Outgoing[] = [];
  for await (const part of messages.readMessages([send])) {
    const registered = part.filter((message) => message.registered);
    // Recipients of one content share the object that was read, and fit into a message of push-outbox.
    for (const [content, group] of Map.groupBy(registered, (message) => message.content)) {
      addMetrics({ PushesDispatched: group.length });
      const to = group.map(({ messageId, msisdn }) => ({ messageId, msisdn }));
      const body: OutboxMessage = { partnerId, acceptedAt, requestId, ...content, messages: to };
      outgoing.push({ content, body: JSON.stringify(body) });
    }
  }
  return outgoing;
}

function connect() {
  const queue = connectQueue(readEnv('OUTBOX_QUEUE_URL'));
  return { ...tableDeps({ parked: parkedStore, messages: messageStore }), queue };
}
