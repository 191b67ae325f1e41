import type { Work } from '../../shared/platform/logging/log.ts';
import {
  type Change,
  type StreamDeps,
  streamToQueue,
  UnreadableRow,
} from '../../shared/platform/queues/stream-to-queue.ts';
import { inGroups } from '../../shared/platform/runtime/in-groups.ts';
import { messageIdOf } from '../../shared/push/message-id.ts';
import { BulkSend, SingleSend } from '../../shared/push/message-rows.ts';
import type { MessageStore } from '../../shared/push/message-store.ts';
import { type OutboxMessage, recipientsPerOutboxMessage } from '../../shared/push/sending/outbox-message.ts';
import type { PushContent } from '../../shared/push/sending/push-content.ts';

type Deps = StreamDeps & { messages: Pick<MessageStore, 'partsOf'> };
type Addressed = OutboxMessage['messages'][number];
type Accepted = { partnerId: string; acceptedAt: number; requestId?: string | undefined };

/**
 * Sends accepted messages to the wallet platform: a send with at least one registered recipient becomes messages
 * of push-outbox, one content with many recipients in each.
 */
export function dispatchMessages(deps: Deps) {
  return streamToQueue('DispatchMessages', deps, {
    read: readSend,
    lookUp: async () => undefined,
    itemsOf: (send, _known, addMetrics): Promise<string[]> | string[] => {
      if ('bulkId' in send) return bulkMessages(deps, send, addMetrics);
      addMetrics({ PushesDispatched: 1 });
      return [outboxMessage(send, send.content, [send])];
    },
    messageOf: ([body = '']) => ({ body }),
  });
}

function readSend({ row }: Change): SingleSend | BulkSend {
  const send = SingleSend.safeParse(row).data ?? BulkSend.safeParse(row).data;
  if (send) return send;
  throw new UnreadableRow('not an accepted message or bulk send');
}

async function bulkMessages(
  { messages }: Deps,
  send: BulkSend,
  addMetrics: Work['addMetrics'],
): Promise<string[]> {
  const outbox: string[] = [];
  for await (const { recipients, contents, from } of messages.partsOf(send)) {
    const addressed = recipients.flatMap(({ msisdn, registered }, n) =>
      registered ? [{ content: contents[n], messageId: messageIdOf(send.bulkId, from + n), msisdn }] : [],
    );
    addMetrics({ PushesDispatched: addressed.length });
    const groups = send.content
      ? inGroups(addressed, recipientsPerOutboxMessage)
      : addressed.map((one) => [one]);
    for (const group of groups) {
      const content = send.content ?? group[0]?.content;
      if (content) outbox.push(outboxMessage(send, content, group));
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
