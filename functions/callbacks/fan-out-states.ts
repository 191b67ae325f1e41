import { alertsEndpointOf } from '../../shared/callbacks/alerts-endpoint.ts';
import { utmText } from '../../shared/callbacks/callback.ts';
import { firstMessage, type NewCallback } from '../../shared/callbacks/callback-message.ts';
import { chosenKinds, chosenStates } from '../../shared/callbacks/endpoint/chosen.ts';
import { endpointStore } from '../../shared/callbacks/endpoint/endpoint-store.ts';
import { endpointViews } from '../../shared/callbacks/endpoint/views.ts';
import { alertBody } from '../../shared/events/alert.ts';
import { eventInRow, isEventRow, type OwnedEvent } from '../../shared/events/event-store.ts';
import { parkedStore } from '../../shared/platform/queues/parked-store.ts';
import { connectQueue } from '../../shared/platform/queues/queue.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { type StreamChange, streamToQueue } from '../../shared/platform/stream/stream-to-queue.ts';
import { tableDeps } from '../../shared/platform/table/table.ts';
import { messageReader } from '../../shared/push/message-reader.ts';
import { type ReachedState, statesIn } from '../../shared/push/message-states.ts';
import { wantsCallbacks } from '../../shared/push/sending/push-content.ts';

type Deps = ReturnType<typeof connect>;
type Changed = {
  states: ReachedState[];
  recordedAt?: number | undefined;
  owned?: OwnedEvent | undefined;
};

/** One row of states has this many recipients. A larger message would repeat more attempts when its worker dies. */
const callbacksPerMessage = 40;

/**
 * Follows the stream of rows of states and events. An event becomes an alert, if its partner wants that. New states become
 * callbacks, many in one message of the callbacks queue, in the endpoint's message group, so that SQS serves endpoints
 * fairly. The rows of states do not say whom they are about: that is read from the sends, once for all rows of a batch.
 */
export function fanOutStates(deps: Deps = connect()) {
  const views = endpointViews(deps);
  return streamToQueue('FanOutStates', deps, {
    marker: 'callBack',
    read: changedIn,
    lookUp: (rows) => {
      const ids = rows.flatMap(({ states }) => states.map(({ messageId }) => messageId));
      return deps.messages.findMany(ids, deps.clock.now());
    },
    toItems: async ({ states, recordedAt, owned }, messages): Promise<NewCallback[]> => {
      if (owned) {
        const wanted = await chosenKinds(views, owned.partnerId);
        return wanted.includes(owned.event.kind) ? [alertOf(owned, recordedAt)] : [];
      }
      const callbacks: NewCallback[] = [];
      for (const { messageId, state, atMs } of states) {
        // The message is gone if its recipient was erased.
        const message = messages.get(messageId);
        if (!message || !wantsCallbacks(message.content)) continue;
        const { partnerId, requestId, content, msisdn } = message;
        if (!(await chosenStates(views, partnerId)).includes(state)) continue;
        const utm = utmText(content);
        callbacks.push({ partnerId, requestId, recordedAt, utm, messageId, state, msisdn, changedAt: atMs });
      }
      return callbacks;
    },
    sharing: {
      by: ({ partnerId, requestId, recordedAt, utm }) => `${partnerId} ${requestId} ${recordedAt} ${utm}`,
      atMost: callbacksPerMessage,
    },
    toMessage: (callbacks) => ({
      body: firstMessage(callbacks),
      group: (callbacks[0] as NewCallback).partnerId,
    }),
  });
}

function changedIn({ row, before, recordedAtMs: recordedAt }: StreamChange): Changed {
  return isEventRow(row)
    ? { states: [], owned: eventInRow(row), recordedAt }
    : { states: statesIn(row, before), recordedAt };
}

/** The alert of an event. Its id is that of the event, so that whoever gets it twice can tell. */
function alertOf({ partnerId, event }: OwnedEvent, recordedAt: number | undefined): NewCallback {
  const ref = { partnerId: alertsEndpointOf(partnerId), messageId: event.eventId, state: 'ALERT' as const };
  return { ...ref, recordedAt, changedAt: event.at, alert: alertBody(partnerId, event) };
}

function connect() {
  const queue = connectQueue(readEnv('CALLBACKS_QUEUE_URL'));
  return { ...tableDeps({ parked: parkedStore, messages: messageReader, endpoints: endpointStore }), queue };
}
