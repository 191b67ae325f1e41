import * as z from 'zod/mini';
import { feedKeptMs } from '../../shared/callbacks/feed/delivered-log.ts';
import {
  callbackList,
  isOfMessage,
  type ListedCallback,
  statusesOf,
} from '../../shared/callbacks/listing/list.ts';
import { ListPosition, loggedCallbacks } from '../../shared/callbacks/listing/logged-callbacks.ts';
import { ShownCallback, shownCallback } from '../../shared/callbacks/listing/shown-callback.ts';
import { CallbackStatus, callbackStore } from '../../shared/callbacks/rows/callback-store.ts';
import { partner } from '../../shared/partners/callers.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { cursor, cursorOf } from '../../shared/platform/validation/cursor.ts';
import { described, named } from '../../shared/platform/validation/documented.ts';
import { queryNumber } from '../../shared/platform/validation/query-number.ts';
import { deliveryStateStore } from '../../shared/push/delivery-state-store.ts';
import { rank } from '../../shared/push/history.ts';
import { MessageId } from '../../shared/push/message-id.ts';
import { messageReader } from '../../shared/push/message-reader.ts';

/** The largest rows take a page of 50 read units. Logged callbacks of messages with a content each take up to 330. */
const mostOnPage = 20;

const callbackCursor = { list: 'callbacks', position: ListPosition };

export const listCallbacksOperation = operation({
  id: 'ListCallbacks',
  route: 'GET /callbacks',
  caller: partner([]),
  requests: 3,
  query: z.object({
    status: z.optional(CallbackStatus),
    messageId: z.optional(MessageId),
    limit: described(
      queryNumber({ min: 1, max: 100, standard: mostOnPage }),
      '1 to 100, of which a page has 20 at most',
    ),
    cursor: cursor(callbackCursor),
  }),
  response: named('CallbackPage', {
    callbacks: z.array(ShownCallback),
    cursor: described(
      z.optional(z.string()),
      'There when more may follow: a page may have fewer callbacks before the last one',
    ),
    incomplete: described(
      z.optional(z.literal(true)),
      'There when one of the messageId may be logged beyond what was searched',
    ),
  }),
});

type Deps = ReturnType<typeof connect>;

/** Lists the callbacks that were not delivered at once, and those that are logged, newest first. */
export function listCallbacks(deps = connect()) {
  return httpHandler(listCallbacksOperation, deps, async ({ partnerId, query, addFields }) => {
    const { messageId, status, cursor: after } = query;
    const nowMs = deps.clock.now();
    const limit = Math.min(query.limit, mostOnPage);
    const { callbacks, last, incomplete }: Found =
      messageId === undefined
        ? await deps.list.page(partnerId, { ...statusesOf(status), after, limit, nowMs })
        : await ofMessage(deps, { partnerId, messageId }, { status, nowMs });
    addFields({ callbacks: callbacks.length, incomplete });
    return ok({
      callbacks: await shown(deps, callbacks, nowMs),
      cursor: last && cursorOf(callbackCursor, last),
      incomplete,
    });
  });
}

type Found = { callbacks: ListedCallback[]; last?: ListPosition | undefined; incomplete?: true | undefined };

/** Finds a message's callbacks: those with a row, and for its other states those in the log. The furthest state comes first. */
async function ofMessage(
  deps: Deps,
  { partnerId, messageId }: { partnerId: string; messageId: string },
  { status, nowMs }: { status: CallbackStatus | undefined; nowMs: number },
): Promise<Found> {
  const rows = (await deps.callbacks.ofMessage({ partnerId, messageId }, nowMs)).filter(isOfMessage);
  const { states } = statusesOf(status).withLog
    ? await deps.states.find({ partnerId, messageId })
    : { states: [] };
  const others = states.filter(({ state }) => !rows.some((row) => row.state === state));
  const searches = await Promise.all(
    others.map(({ state, atMs }) =>
      deps.logged.find(partnerId, { messageId, state, changedAt: atMs }, nowMs),
    ),
  );
  const wanted = rows.filter((row) => status === undefined || row.status === status);
  const all = [...wanted, ...searches.flatMap(({ found }) => found ?? [])];
  const incomplete = searches.some(({ cut }) => cut) || undefined;
  return { callbacks: all.sort((a, b) => rank[b.state] - rank[a.state]), incomplete };
}

/** Adds the phone numbers. The log has none, so they are read from the messages; erased ones are not shown. */
async function shown({ messages }: Deps, callbacks: readonly ListedCallback[], nowMs: number) {
  const unknown = callbacks.filter((one) => !('msisdn' in one)).map(({ messageId }) => messageId);
  const found = await messages.findMany(unknown, nowMs - feedKeptMs);
  return callbacks.flatMap((one) => {
    const { msisdn } = 'msisdn' in one ? one : (found.get(one.messageId) ?? {});
    return msisdn === undefined ? [] : shownCallback(one, msisdn);
  });
}

function connect() {
  return httpDeps({
    list: callbackList,
    callbacks: callbackStore,
    logged: loggedCallbacks,
    messages: messageReader,
    states: deliveryStateStore,
  });
}
