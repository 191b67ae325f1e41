import * as z from 'zod/mini';
import { bodyOf, utmText, webhookId } from '../../shared/callbacks/callback.ts';
import {
  callbackFeed,
  type FeedEntry,
  FeedPosition,
  feedFrom,
  firstEntries,
} from '../../shared/callbacks/feed/callback-feed.ts';
import { feedKeptMs, feedPromisedMs } from '../../shared/callbacks/feed/delivered-log.ts';
import { partner } from '../../shared/partners/callers.ts';
import { fail } from '../../shared/platform/http/failures.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { fitInResponse } from '../../shared/platform/http/response-size.ts';
import { minutes } from '../../shared/platform/runtime/clock.ts';
import { cursor, cursorOf } from '../../shared/platform/validation/cursor.ts';
import { described, named } from '../../shared/platform/validation/documented.ts';
import { QueryTime } from '../../shared/platform/validation/moment.ts';
import { queryNumber } from '../../shared/platform/validation/query-number.ts';
import { messageReader } from '../../shared/push/message-reader.ts';
import type { StoredMessage } from '../../shared/push/message-rows.ts';

/** A reader's clock may be ahead by this much. A time of another zone is further in the future. */
const clockAheadMs = minutes(1);
const tooOld = 'cursor: is older than 7 days, so entries may be gone; begin without it, or with since';
const feedCursor = { list: 'feed', position: FeedPosition };

/** A request may read this many units, and send this many characters. A page that takes more counts as several. */
const unitsOfRequest = 120;
const charactersOfRequest = 100_000;
/** The read units that the parts of bulk sends may take, from which bodies are built: a part has 80 messages or more. */
const mostUnits = 400;

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
      z.optional(QueryTime),
      'Begins with what was written from then on; without it and a cursor, with the oldest of 7 days',
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

/** Rule 58: what was delivered to the partner, in the order of writing, for as many readers as there are cursors. */
export function readFeed(deps = connect()) {
  return httpHandler(readFeedOperation, deps, async ({ partnerId, query, takeFrom, addFields }) => {
    const { cursor: after, since = 0, limit } = query;
    if (after && query.since !== undefined)
      return fail('REQUEST_INVALID', 'since: leave it out with a cursor');
    const nowMs = deps.clock.now();
    if (after && after.sk < feedFrom(nowMs - feedKeptMs).sk) return fail('REQUEST_INVALID', tooOld);
    if (since > nowMs + clockAheadMs)
      return fail('REQUEST_INVALID', `since: is in the future, it is ${new Date(nowMs).toISOString()}`);
    const from = after ?? feedFrom(Math.max(since, nowMs - feedPromisedMs));
    const read = await deps.feed.page(partnerId, { after: from, limit, nowMs });
    const ids = read.entries.map(({ messageId }) => messageId);
    const messages = await deps.messages.findFirst(ids, { nowMs: nowMs - feedKeptMs, mostUnits });
    const unread = read.entries.findIndex(({ messageId }) => !messages.lookedUp.has(messageId));
    const known = unread === -1 ? read : firstEntries(read, unread);
    const shownEntries = known.entries.map((entry) => shown(entry, messages.found.get(entry.messageId)));
    const texts = fitInResponse(shownEntries, (entry) => JSON.stringify(entry));
    const page = firstEntries(known, texts.length);
    const characters = texts.reduce((sum, { length }) => sum + length, 0);
    const shares = [(read.units + messages.units) / unitsOfRequest, characters / charactersOfRequest];
    // It has been read, so the page is shown, and does not count further if that does not fit.
    await takeFrom('others', Math.ceil(Math.max(...shares)) - 1);
    const callbacks = shownEntries.slice(0, texts.length).flat();
    addFields({ callbacks: callbacks.length, more: page.more });
    return ok({ callbacks, cursor: cursorOf(feedCursor, page.last), more: page.more });
  });
}

/** Builds the body from the message. What is about an erased recipient has no message, and is left out. */
function shown({ writtenAt, ...entry }: FeedEntry, message: StoredMessage | undefined) {
  if (!message) return [];
  const { partnerId, msisdn, content } = message;
  const callback = { ...entry, partnerId, msisdn, utm: utmText(content) };
  return [
    { webhookId: webhookId(callback), time: new Date(writtenAt).toISOString(), body: bodyOf(callback) },
  ];
}

function connect() {
  return httpDeps({ feed: callbackFeed, messages: messageReader });
}
