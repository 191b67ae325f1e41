import type { Callback } from '../../shared/callbacks/callback.ts';
import { firstMessage } from '../../shared/callbacks/callback-message.ts';
import { type MessageState, statesIn } from '../../shared/push/message-states.ts';
import type { MessageStore, StoredMessage } from '../../shared/push/message-store.ts';
import { wantsCallbacks } from '../../shared/push/push-content.ts';
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
 * Follows the stream of state rows: each new state becomes one message of the callbacks queue, in the partner's
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
    messagesOf: ({ states, atMs }, messages): Message[] =>
      states.flatMap((state, n) => {
        // A message is not there any more when its recipient was erased.
        const message = messages.get(state.messageId);
        if (!message || !wantsCallbacks(message.content)) return [];
        const body = firstMessage(callbackOf(state, message), atMs);
        return [{ id: String(n), body, group: message.partnerId }];
      }),
  });
}

function callbackOf({ messageId, state, atMs }: MessageState, message: StoredMessage): Callback {
  const { partnerId, msisdn, content, requestId } = message;
  return {
    partnerId,
    messageId,
    state,
    msisdn,
    changedAt: atMs,
    ...(requestId === undefined ? {} : { requestId }),
    ...(content.utm === undefined ? {} : { utm: JSON.stringify(content.utm) }),
  };
}

function readChange({ row, before, changedAtMs }: Change): Changed {
  if (!isMarked(row, 'callBack')) return { states: [] };
  try {
    return { states: statesIn(row, before), atMs: changedAtMs };
  } catch {
    throw new UnreadableRow('not a row of states');
  }
}
