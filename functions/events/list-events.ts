import * as z from 'zod/mini';
import { EventKind, ShownEvent, shownEvent } from '../../shared/events/event.ts';
import { eventStore } from '../../shared/events/event-store.ts';
import { partner } from '../../shared/partners/callers.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { cursor, cursorOf } from '../../shared/platform/validation/cursor.ts';
import { described, named } from '../../shared/platform/validation/documented.ts';
import { queryNumber } from '../../shared/platform/validation/query-number.ts';

const eventCursor = { list: 'events', position: z.uuid() };

export const listEventsOperation = operation({
  id: 'ListEvents',
  route: 'GET /events',
  caller: partner([]),
  query: z.object({
    limit: queryNumber({ min: 1, max: 100, standard: 20 }),
    cursor: cursor(eventCursor),
    kind: z.optional(EventKind),
  }),
  response: named('EventPage', {
    events: z.array(ShownEvent),
    cursor: described(
      z.optional(z.string()),
      'There when more may follow: a page of one kind may have fewer events before the last one',
    ),
  }),
  failures: ['ROLE_FORBIDDEN'],
});

/** Lists what changed or went wrong in the partner's account in the last 400 days, newest first. */
export function listEvents(deps = httpDeps({ events: eventStore })) {
  return httpHandler(listEventsOperation, deps, async ({ partnerId, query, addFields }) => {
    const { limit, cursor: after, kind } = query;
    const { events, unknown, last } = await deps.events.page(partnerId, {
      limit,
      after,
      kind,
      nowMs: deps.clock.now(),
    });
    addFields({ events: events.length, ...(unknown > 0 ? { unknownKinds: unknown } : {}) });
    return ok({
      events: events.map(shownEvent),
      cursor: last === undefined ? undefined : cursorOf(eventCursor, last),
    });
  });
}
