import type { Work } from '../../shared/platform/logging/log.ts';
import { parkedStore } from '../../shared/platform/queues/parked-store.ts';
import { connectQueue } from '../../shared/platform/queues/queue.ts';
import {
  type StreamChange,
  streamToQueue,
  UnreadableRow,
} from '../../shared/platform/queues/stream-to-queue.ts';
import type { Pause } from '../../shared/platform/runtime/backoff.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { inGroups } from '../../shared/platform/runtime/in-groups.ts';
import { tableDeps } from '../../shared/platform/table/table-deps.ts';
import { isOver } from '../../shared/push/deadlines/deadline.ts';
import { messageIdOf } from '../../shared/push/message-id.ts';
import { BulkSend, SingleSend } from '../../shared/push/message-rows.ts';
import { messageStore } from '../../shared/push/message-store.ts';
import { type OutboxMessage, recipientsPerOutboxMessage } from '../../shared/push/sending/outbox-message.ts';
import type { PushContent } from '../../shared/push/sending/push-content.ts';

type Deps = ReturnType<typeof connect> & { pause?: Pause };
type Addressed = OutboxMessage['messages'][number];
/** A message of push-outbox, void once the deadline of its content has passed. */
type Outgoing = { content: PushContent; body: string };
type Accepted = { partnerId: string; acceptedAt: number; requestId?: string | undefined };

/**
 * Sends accepted messages to the wallet platform: a send with at least one registered recipient becomes messages
 * of push-outbox, one content with many recipients in each. Nothing is sent after its deadline.
 */
export function dispatchMessages(deps: Deps = connect()) {
  return streamToQueue('DispatchMessages', deps, {
    read: readSend,
    lookUp: async () => undefined,
    itemsOf: (send, _known, addMetrics): Promise<Outgoing[]> | Outgoing[] => {
      if ('bulkId' in send) return bulkMessages(deps, send, addMetrics);
      addMetrics({ PushesDispatched: 1 });
      return [{ content: send.content, body: outboxMessage(send, send.content, [send]) }];
    },
    // Asked before each try: the deadline may pass while the queue does not take the batch.
    messageOf: (items) => {
      const { content, body } = items[0] as Outgoing;
      return { body, isVoid: () => isOver(content, deps.clock.now()) };
    },
  });
}

function readSend({ row }: StreamChange): SingleSend | BulkSend {
  const send = SingleSend.safeParse(row).data ?? BulkSend.safeParse(row).data;
  if (send) return send;
  throw new UnreadableRow('not an accepted message or bulk send');
}

async function bulkMessages(
  { messages }: Deps,
  send: BulkSend,
  addMetrics: Work['addMetrics'],
): Promise<Outgoing[]> {
  const outbox: Outgoing[] = [];
  for await (const { recipients, contents, from } of messages.partsOf(send)) {
    const addressed = recipients.flatMap(({ msisdn, registered }, n) =>
      registered ? [{ content: contents[n], messageId: messageIdOf(send.bulkId, from + n), msisdn }] : [],
    );
    const groups = send.content
      ? inGroups(addressed, recipientsPerOutboxMessage)
      : addressed.map((one) => [one]);
    for (const group of groups) {
      const content = send.content ?? group[0]?.content;
      if (!content) continue;
      addMetrics({ PushesDispatched: group.length });
      outbox.push({ content, body: outboxMessage(send, content, group) });
    }
  }
  return outbox;
}

function outboxMessage(accepted: Accepted, content: PushContent, to: Addressed[]): string {
  const body: OutboxMessage = {
    partnerId: accepted.partnerId,
    acceptedAt: new Date(accepted.acceptedAt).toISOString(),
    requestId: accepted.requestId,
    ...content,
    messages: to.map(({ messageId, msisdn }) => ({ messageId, msisdn })),
  };
  return JSON.stringify(body);
}

function connect() {
  const queue = connectQueue(readEnv('OUTBOX_QUEUE_URL'));
  return { ...tableDeps({ parked: parkedStore, messages: messageStore }), queue };
}
