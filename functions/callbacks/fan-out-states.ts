import { type CallbackState, utmText } from '../../shared/callbacks/callback.ts';
import {
  firstMessage,
  type GroupedCallback,
  type SharedByGroup,
} from '../../shared/callbacks/callback-message.ts';
import { type EndpointViews, endpointStore, endpointViews } from '../../shared/callbacks/endpoint/store.ts';
import { parkedStore } from '../../shared/platform/queues/parked-store.ts';
import { connectQueue } from '../../shared/platform/queues/queue.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { isDataError } from '../../shared/platform/stream/data-error.ts';
import { streamToQueue } from '../../shared/platform/stream/stream-to-queue.ts';
import { isMarked } from '../../shared/platform/table/stream-markers.ts';
import { tableDeps } from '../../shared/platform/table/table-deps.ts';
import { type MessageState, statesIn } from '../../shared/push/message-states.ts';
import { messageStore } from '../../shared/push/message-store.ts';
import { type PushContent, wantsCallbacks } from '../../shared/push/sending/push-content.ts';

type Deps = ReturnType<typeof connect>;
type Changed = { states: MessageState[]; recordedAt?: number | undefined };
type NewCallback = SharedByGroup & GroupedCallback;

/** One row of states has this many recipients. A larger message would repeat more attempts when its worker dies. */
const callbacksPerMessage = 40;

/**
 * Follows the stream of state rows: new states become callbacks, many in one message of the callbacks queue, in the
 * partner's message group, so that SQS serves partners fairly. The rows do not say whom they are about: that is read
 * from the sends, once for all rows of a batch.
 */
export function fanOutStates(deps: Deps = connect()) {
  const views = endpointViews(deps);
  return streamToQueue('FanOutStates', deps, {
    read: ({ row, before, changedAtMs }): Changed =>
      isMarked(row, 'callBack') ? { states: statesIn(row, before), recordedAt: changedAtMs } : { states: [] },
    unreadable: 'not a row of states',
    lookUp: async (rows) => {
      const ids = rows.flatMap(({ states }) => states.map(({ messageId }) => messageId));
      const messages = await deps.messages.findMany(ids, deps.clock.now());
      return { messages, chosenBy: await chosenStates(views, messages.values()) };
    },
    toItems: ({ states, recordedAt }, { messages, chosenBy }): NewCallback[] =>
      states.flatMap(({ messageId, state, atMs }) => {
        // The message is gone if its recipient was erased.
        const message = messages.get(messageId);
        if (!message || !wantsCallbacks(message.content)) return [];
        const { partnerId, requestId, content, msisdn } = message;
        if (chosenBy.get(partnerId)?.includes(state) === false) return [];
        const utm = utmText(content);
        return [{ partnerId, requestId, recordedAt, utm, messageId, state, msisdn, changedAt: atMs }];
      }),
    sharing: {
      by: ({ partnerId, requestId, recordedAt, utm }) => `${partnerId} ${requestId} ${recordedAt} ${utm}`,
      atMost: callbacksPerMessage,
    },
    toMessage: (callbacks) => {
      const shared = callbacks[0] as NewCallback;
      return { body: firstMessage(shared, callbacks), group: shared.partnerId };
    },
  });
}

/** The states that partners with callbacks have chosen. A partner that has not chosen any wants all. */
async function chosenStates(
  views: EndpointViews,
  messages: Iterable<{ partnerId: string; content: PushContent }>,
) {
  const chosen = new Map<string, readonly CallbackState[] | undefined>();
  for (const { partnerId, content } of messages) {
    if (chosen.has(partnerId) || !wantsCallbacks(content)) continue;
    chosen.set(partnerId, undefined);
    try {
      chosen.set(partnerId, (await views.of(partnerId)).endpoint?.states);
    } catch (error) {
      // After a rollback the settings may be of a newer version. Throwing would park every state of the partner. The worker
      // that attempts the callbacks cannot read the settings either, and fails these alone.
      if (!isDataError(error)) throw error;
    }
  }
  return chosen;
}

function connect() {
  const queue = connectQueue(readEnv('CALLBACKS_QUEUE_URL'));
  return { ...tableDeps({ parked: parkedStore, messages: messageStore, endpoints: endpointStore }), queue };
}
