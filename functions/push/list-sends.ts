import * as z from 'zod/mini';
import { partner } from '../../shared/partners/callers.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { cursor, cursorOf } from '../../shared/platform/validation/cursor.ts';
import { described, named } from '../../shared/platform/validation/documented.ts';
import { queryNumber } from '../../shared/platform/validation/query-number.ts';
import { bulkMessageId } from '../../shared/push/message-id.ts';
import { ListedSend, shownSend } from '../../shared/push/reporting/send-report.ts';
import { sendStore } from '../../shared/push/reporting/send-store.ts';

const sendCursor = {
  list: 'sends',
  position: z.string().check(z.regex(/^\d{15}#[0-9a-f-]{32}$/)),
};

export const listSendsOperation = operation({
  id: 'ListSends',
  route: 'GET /push',
  caller: partner(['messages']),
  query: z.object({
    limit: queryNumber({ min: 1, max: 100, standard: 20 }),
    cursor: cursor(sendCursor),
  }),
  response: named('SendPage', {
    sends: z.array(ListedSend),
    cursor: described(
      z.optional(z.string()),
      'There when more may follow: a page may have fewer sends before the last one',
    ),
  }),
});

/** Lists the sends of more than one message in the last 30 days, newest first. */
export function listSends(deps = httpDeps({ sends: sendStore })) {
  return httpHandler(listSendsOperation, deps, async ({ partnerId, query, addFields }) => {
    const { limit, cursor: after } = query;
    const { sends, last } = await deps.sends.page(partnerId, { limit, after, nowMs: deps.clock.now() });
    addFields({ sends: sends.length });
    return ok({
      sends: sends.map((send) => shownSend(bulkMessageId(send.bulkId, 0), send)),
      cursor: last === undefined ? undefined : cursorOf(sendCursor, last),
    });
  });
}
