import * as z from 'zod/mini';
import { endpointStore } from '../../shared/callbacks/endpoint/endpoint-store.ts';
import { endpointNotSet } from '../../shared/callbacks/endpoint/shown-endpoint.ts';
import { replayLimit } from '../../shared/callbacks/limits.ts';
import { callbackReplay, ReplayPosition } from '../../shared/callbacks/listing/replay.ts';
import { replayInShares } from '../../shared/callbacks/listing/replay-in-shares.ts';
import { type ReplayCall, replayMessages } from '../../shared/callbacks/listing/replay-messages.ts';
import { partner } from '../../shared/partners/callers.ts';
import { liveKeyHandler, liveKeys } from '../../shared/partners/live-key.ts';
import { fail, isFailure } from '../../shared/platform/http/failures.ts';
import { httpDeps, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { cursor, cursorOf } from '../../shared/platform/validation/cursor.ts';
import { described, named } from '../../shared/platform/validation/documented.ts';
import { Time } from '../../shared/platform/validation/moment.ts';
import { MessageId, parseMessageId } from '../../shared/push/message-id.ts';

const replayCursor = { list: 'replay', position: ReplayPosition };

export const replayCallbacksOperation = operation({
  id: 'ReplayCallbacks',
  route: 'POST /callbacks/replay',
  caller: partner([]),
  budget: 'heavy',
  body: z
    .object({
      messageIds: z.optional(z.array(MessageId).check(z.minLength(1), z.maxLength(1_000))),
      status: z.optional(z.enum(['failed', 'skipped'])),
      since: described(z.optional(Time), 'States from then on'),
      until: described(z.optional(Time), 'States before then'),
      cursor: cursor(replayCursor),
    })
    .check(
      z.refine(({ messageIds, status }) => (messageIds === undefined) !== (status === undefined), {
        message: 'needs either messageIds or a status',
      }),
      z.refine(({ messageIds, since, until }) => messageIds === undefined || (since ?? until) === undefined, {
        message: 'since and until go with a status, leave them out with messageIds',
      }),
      z.refine(({ since = -Infinity, until = Infinity }) => until > since, {
        path: ['until'],
        message: 'must be after since',
      }),
      z.refine((body) => body.cursor === undefined || body.cursor.status === body.status, {
        path: ['cursor'],
        message: 'must be from a response to the same status',
      }),
    )
    .register(z.globalRegistry, { id: 'ReplayRequest' }),
  response: named('Replay', {
    replayed: z.int(),
    more: described(z.boolean(), 'Whether to send again, with the cursor or the ids of notReplayed'),
    cursor: described(z.optional(z.string()), 'There with more: where the next call goes on'),
    notFound: described(
      z.optional(z.array(z.string())),
      'The messageIds of which no callback is kept: unknown, delivered at once, or longer than 30 days ago',
    ),
    notReplayed: described(
      z.optional(z.array(z.string())),
      'There with more: the messageIds for which the limit had no room',
    ),
  }),
  failures: ['ROLE_FORBIDDEN', 'ENDPOINT_NOT_SET', 'ENDPOINT_DISABLED', 'REPLAY_LIMIT_EXCEEDED'],
});

type Deps = ReturnType<typeof connect>;

/** Has at most 5,000 callbacks sent again, each with a new schedule. Callbacks that wait are left alone. */
export function replayCallbacks(deps = connect()) {
  return liveKeyHandler(replayCallbacksOperation, deps, async (call) => {
    const { partnerId, body, addFields } = call;
    const { endpoint: to } = await deps.endpoints.view(partnerId, { consistent: true });
    if (!to) return endpointNotSet;
    if (to.status === 'disabled') {
      return fail('ENDPOINT_DISABLED', 'callbacks: they would be skipped again, enable the endpoint first');
    }
    const result = body.messageIds
      ? await replayThese(deps, call, body.messageIds)
      : await replaySome(deps, partnerId, body);
    if (isFailure(result)) return result;
    addFields({ replayed: result.replayed, more: result.more });
    return ok(result);
  });
}

type Body = z.output<typeof replayCallbacksOperation.body>;

async function replaySome(deps: Deps, partnerId: string, { status, since, until, cursor: from }: Body) {
  const result = await replayInShares(deps, partnerId, {
    statuses: status ? [status] : [],
    fromMs: since,
    toMs: until,
    from,
  });
  if (isFailure(result)) return result;
  const { replayed, stoppedAt } = result;
  if (!stoppedAt || !status) return { replayed, more: false };
  return { replayed, more: true, cursor: cursorOf(replayCursor, { status, ...stoppedAt }) };
}

async function replayThese(deps: Deps, call: ReplayCall, messageIds: readonly string[]) {
  const distinct = [...new Set(messageIds)];
  // An id that is not in our format has no callbacks: it is not found without a read.
  const [ids, others] = [distinct.filter(parseMessageId), distinct.filter((id) => !parseMessageId(id))];
  const result = await replayMessages(deps, call, ids);
  if (isFailure(result)) return result;
  const { replayed, notReplayed, notFound } = result;
  const named = (ids: readonly string[]) => (ids.length > 0 ? [...ids] : undefined);
  return {
    replayed,
    more: notReplayed.length > 0,
    notFound: named([...others, ...notFound]),
    notReplayed: named(notReplayed),
  };
}

function connect() {
  return httpDeps({ endpoints: endpointStore, replay: callbackReplay, replayLimit, keys: liveKeys });
}
