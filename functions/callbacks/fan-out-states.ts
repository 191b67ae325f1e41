import { firstMessage, type Shared } from '../../shared/callbacks/callback-message.ts';
import { type MessageState, statesIn } from '../../shared/push/message-states.ts';
import type { MessageStore, StoredMessage } from '../../shared/push/message-store.ts';
import { type PushContent, wantsCallbacks } from '../../shared/push/push-content.ts';
import type { Message } from '../../shared/queues/send-all.ts';
import {
  type Change,
  type StreamDeps,
  streamToQueue,
  UnreadableRow,
} from '../../shared/queues/stream-to-queue.ts';
import { isMarked } from '../../shared/table/stream-markers.ts';

type Deps = StreamDeps & { messages: Pick<MessageStore, 'findMany'> };
type Changed = { states: MessageState[]; atMs?: number | undefined };

/**
 * Follows the stream of state rows: the new states of a row become one message of the callbacks queue, in the partner's
 * message group, so that SQS serves partners fairly. The rows do not say whom they are about: that is read from the
 * sends, once for all rows of a batch.
 */
export function fanOutStates(deps: Deps) {
  return streamToQueue('FanOutStates', deps, {
    read: readChange,
    lookUp: (rows) => {
      const ids = rows.flatMap(({ states }) => states.map(({ messageId }) => messageId));
      return deps.messages.findMany(ids, deps.clock.now());
    },
    messagesOf: ({ states, atMs }, messages): Message[] => {
      const told = states.flatMap((state) => {
        // A message is not there any more when its recipient was erased.
        const message = messages.get(state.messageId);
        return message && wantsCallbacks(message.content) ? [{ ...state, message }] : [];
      });
      // One group, unless the messages were sent with a content each.
      const groups = Map.groupBy(told, utmTexts()).entries();
      return [...groups].map(([utm, some], n) => messageFor(String(n), some, { utm, recordedAt: atMs }));
    },
  });
}

type Told = MessageState & { message: StoredMessage };

/** The text of a message's utm, made once for each content. */
function utmTexts() {
  const texts = new Map<PushContent, string | undefined>();
  return ({ message: { content } }: Told): string | undefined => {
    if (!texts.has(content)) texts.set(content, content.utm && JSON.stringify(content.utm));
    return texts.get(content);
  };
}

function messageFor(id: string, told: readonly Told[], shared: Pick<Shared, 'utm' | 'recordedAt'>): Message {
  const { partnerId = '', requestId } = told[0]?.message ?? {};
  const callbacks = told.map(({ messageId, state, atMs, message: { msisdn } }) => ({
    messageId,
    state,
    msisdn,
    changedAt: atMs,
  }));
  return { id, body: firstMessage({ ...shared, partnerId, requestId }, callbacks), group: partnerId };
}

function readChange({ row, before, changedAtMs }: Change): Changed {
  if (!isMarked(row, 'callBack')) return { states: [] };
  try {
    return { states: statesIn(row, before), atMs: changedAtMs };
  } catch {
    throw new UnreadableRow('not a row of states');
  }
}
