import {
  firstMessage,
  type GroupedCallback,
  type SharedByGroup,
} from '../../shared/callbacks/callback-message.ts';
import {
  type Change,
  type StreamDeps,
  streamToQueue,
  UnreadableRow,
} from '../../shared/platform/queues/stream-to-queue.ts';
import { isMarked } from '../../shared/platform/table/stream-markers.ts';
import { type MessageState, statesIn } from '../../shared/push/message-states.ts';
import type { MessageStore } from '../../shared/push/message-store.ts';
import { type PushContent, wantsCallbacks } from '../../shared/push/sending/push-content.ts';

type Deps = StreamDeps & { messages: Pick<MessageStore, 'findMany'> };
type Changed = { states: MessageState[]; recordedAt?: number | undefined };
type Due = { shared: SharedByGroup; callback: GroupedCallback };

/** As many as share a row of states. A worker that dies repeats what it had delivered of a message. */
const callbacksPerMessage = 40;

/**
 * Follows the stream of state rows: new states become callbacks, many in one message of the callbacks queue, in the
 * partner's message group, so that SQS serves partners fairly. The rows do not say whom they are about: that is read
 * from the sends, once for all rows of a batch.
 */
export function fanOutStates(deps: Deps) {
  return streamToQueue('FanOutStates', deps, {
    read: readChange,
    lookUp: async (rows) => {
      const ids = rows.flatMap(({ states }) => states.map(({ messageId }) => messageId));
      return { messages: await deps.messages.findMany(ids, deps.clock.now()), utmOf: utmTexts() };
    },
    itemsOf: ({ states, recordedAt }, { messages, utmOf }): Due[] =>
      states.flatMap(({ messageId, state, atMs }) => {
        // A message is not there any more when its recipient was erased.
        const message = messages.get(messageId);
        if (!message || !wantsCallbacks(message.content)) return [];
        const { partnerId, requestId, content, msisdn } = message;
        const shared = { partnerId, requestId, recordedAt, utm: utmOf(content) };
        return [{ shared, callback: { messageId, state, msisdn, changedAt: atMs } }];
      }),
    together: {
      keyOf: ({ shared: { partnerId, requestId, recordedAt, utm } }) =>
        `${partnerId} ${requestId} ${recordedAt} ${utm}`,
      atMost: callbacksPerMessage,
    },
    messageOf: (dues) => {
      const { shared } = dues[0] as Due;
      const callbacks = dues.map(({ callback }) => callback);
      return { body: firstMessage(shared, callbacks), group: shared.partnerId };
    },
  });
}

/** The text of a utm, made once for each content. */
function utmTexts() {
  const texts = new Map<PushContent, string | undefined>();
  return (content: PushContent): string | undefined => {
    if (!texts.has(content)) texts.set(content, content.utm && JSON.stringify(content.utm));
    return texts.get(content);
  };
}

function readChange({ row, before, changedAtMs }: Change): Changed {
  if (!isMarked(row, 'callBack')) return { states: [] };
  try {
    return { states: statesIn(row, before), recordedAt: changedAtMs };
  } catch {
    throw new UnreadableRow('not a row of states');
  }
}
