import * as z from 'zod/mini';
import { bodyOf, utmText, webhookId } from '../../shared/callbacks/callback.ts';
import {
  callbackFeed,
  type FeedEntry,
  FeedPosition,
  feedFrom,
} from '../../shared/callbacks/feed/read-feed.ts';
import { partner } from '../../shared/partners/callers.ts';
import { fail } from '../../shared/platform/http/failures.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { cursor, cursorOf } from '../../shared/platform/validation/cursor.ts';
import { described, named } from '../../shared/platform/validation/documented.ts';
import { queryNumber } from '../../shared/platform/validation/query-number.ts';
import { messageReads } from '../../shared/push/message-rows.ts';
import { messageStore } from '../../shared/push/message-store.ts';

const feedCursor = { list: 'feed', position: FeedPosition };

/** A request may read this many units. A page that takes more counts as several. */
const unitsOfRequest = 120;

const FeedCallback = named('FeedCallback', {
  webhookId: described(z.string(), 'The same each time the callback comes'),
  time: described(z.iso.datetime(), 'When it was written to the feed'),
  body: described(z.string(), 'The body that would be posted, byte for byte'),
});

export const readFeedOperation = operation({
  id: 'ReadFeed',
  route: 'GET /callbacks/feed',
  caller: partner([]),
  query: z.object({
    cursor: cursor(feedCursor),
    since: described(
      z.optional(z.iso.datetime({ offset: true })),
      'Begins with what was written from then on; without it and a cursor, with the oldest that is kept',
    ),
    limit: queryNumber({ min: 1, max: 400, standard: 400 }),
  }),
  response: named('FeedPage', {
    callbacks: z.array(FeedCallback),
    cursor: described(z.string(), 'Where the next request goes on, also after a page without callbacks'),
    more: described(
      z.boolean(),
      'Whether to ask again at once; a page may be short, or empty, although there is more',
    ),
  }),
  failures: ['ROLE_FORBIDDEN', 'REQUEST_INVALID', 'REQUEST_LIMIT_EXCEEDED'],
});

type Deps = ReturnType<typeof connect>;

/** Rule 58: what was delivered to the partner, in the order of writing, for as many readers as there are cursors. */
export function readFeed(deps = connect()) {
  return httpHandler(readFeedOperation, deps, async ({ partnerId, query, takeFrom, addFields }) => {
    const { cursor: after, since, limit } = query;
    if (after && since !== undefined) return fail('REQUEST_INVALID', 'since: leave it out with a cursor');
    const nowMs = deps.clock.now();
    const from = after ?? feedFrom(since === undefined ? 0 : Date.parse(since));
    const { entries, last, more, units } = await deps.feed.page(partnerId, {
      after: from,
      limit,
      nowMs,
      messageReads,
    });
    const furtherRequests = Math.ceil(units / unitsOfRequest) - 1;
    const overBudget = furtherRequests > 0 ? await takeFrom('others', furtherRequests) : undefined;
    if (overBudget) return overBudget;
    const callbacks = await shown(deps, { partnerId, entries, nowMs });
    addFields({ callbacks: callbacks.length, more });
    return ok({ callbacks, cursor: cursorOf(feedCursor, last), more });
  });
}

/** Builds the bodies from the messages. What is about an erased recipient has no message, and is left out. */
async function shown(
  { messages }: Deps,
  { partnerId, entries, nowMs }: { partnerId: string; entries: readonly FeedEntry[]; nowMs: number },
) {
  const found = await messages.findMany(
    entries.map(({ messageId }) => messageId),
    nowMs,
  );
  return entries.flatMap(({ messageId, state, changedAt, writtenAt }) => {
    const message = found.get(messageId);
    if (!message) return [];
    const callback = { partnerId, messageId, state, changedAt, msisdn: message.msisdn };
    return {
      webhookId: webhookId(callback),
      time: new Date(writtenAt).toISOString(),
      body: bodyOf({ ...callback, utm: utmText(message.content) }),
    };
  });
}

function connect() {
  return httpDeps({ feed: callbackFeed, messages: messageStore });
}
