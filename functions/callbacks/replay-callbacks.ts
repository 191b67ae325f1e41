import * as z from 'zod/mini';
import { endpointNotSet } from '../../shared/callbacks/endpoint/shown.ts';
import { endpointStore } from '../../shared/callbacks/endpoint/store.ts';
import { callbackReplay, ReplayPosition } from '../../shared/callbacks/listing/replay.ts';
import { partner } from '../../shared/partners/callers.ts';
import { liveKeys } from '../../shared/partners/live-key.ts';
import { fail } from '../../shared/platform/http/failures.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { inParallel } from '../../shared/platform/runtime/in-parallel.ts';
import { cursor, cursorOf } from '../../shared/platform/validation/cursor.ts';
import { described, named } from '../../shared/platform/validation/documented.ts';
import { MessageId } from '../../shared/push/message-id.ts';

/** A replay takes a write of about 10 ms, and ten run at once: usually 5 s of the function's 29 s. */
const mostReplayed = 5_000;
const replaysForMs = 20_000;
const messagesAtOnce = 10;

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
      since: described(z.optional(z.iso.datetime({ offset: true })), 'States from then on'),
      until: described(z.optional(z.iso.datetime({ offset: true })), 'States before then'),
      cursor: cursor(replayCursor),
    })
    .check(
      z.refine(({ messageIds, status }) => (messageIds === undefined) !== (status === undefined), {
        message: 'needs either messageIds or a status',
      }),
      z.refine((body) => body.cursor === undefined || body.cursor.status === body.status, {
        path: ['cursor'],
        message: 'must be from a response to the same status',
      }),
    )
    .register(z.globalRegistry, { id: 'ReplayRequest' }),
  response: named('Replay', {
    replayed: z.int(),
    more: described(z.boolean(), 'Whether to send again, with the cursor, for the rest'),
    cursor: described(z.optional(z.string()), 'There with more: where the next call goes on'),
    notFound: described(
      z.optional(z.array(z.string())),
      'The messageIds of which no callback is kept: unknown, delivered at once, or longer than 30 days ago',
    ),
  }),
  failures: ['ROLE_FORBIDDEN', 'ENDPOINT_NOT_SET', 'ENDPOINT_DISABLED'],
});

type Deps = ReturnType<typeof connect>;

/** Makes at most 5,000 callbacks due again, each with a new schedule. Callbacks that wait are left alone. */
export function replayCallbacks(deps = connect()) {
  return httpHandler(replayCallbacksOperation, deps, async ({ callerId, key, body, addFields }) => {
    const ended = await deps.keys.refuseEnded(callerId, key);
    if (ended) return ended;
    const { endpoint: to } = await deps.endpoints.view(callerId, { consistent: true });
    if (!to) return endpointNotSet;
    if (to.status === 'disabled') {
      return fail('ENDPOINT_DISABLED', 'callbacks: they would be skipped again, enable the endpoint first');
    }
    const { messageIds } = body;
    const result = messageIds
      ? await replayMessages(deps, callerId, messageIds)
      : await replaySome(deps, callerId, body);
    const { replayed, more } = result;
    addFields({ replayed, more });
    return ok(result);
  });
}

type Body = z.output<typeof replayCallbacksOperation.body>;

async function replaySome(
  { replay, clock }: Deps,
  partnerId: string,
  { status, since, until, cursor: at }: Body,
) {
  const selection = {
    statuses: status ? [status] : [],
    fromMs: since === undefined ? undefined : Date.parse(since),
    toMs: until === undefined ? undefined : Date.parse(until),
  };
  const limits = { from: at, most: mostReplayed, untilMs: clock.now() + replaysForMs };
  const { replayed, stoppedAt } = await replay.some(partnerId, selection, limits);
  if (!stoppedAt || !status) return { replayed, more: false };
  return { replayed, more: true, cursor: cursorOf(replayCursor, { status, ...stoppedAt }) };
}

async function replayMessages({ replay }: Deps, partnerId: string, messageIds: readonly string[]) {
  let replayed = 0;
  const notFound: string[] = [];
  await inParallel(messagesAtOnce, [...new Set(messageIds)], async (messageId) => {
    const ofMessage = await replay.ofMessage(partnerId, messageId);
    if (ofMessage.found === 0) notFound.push(messageId);
    replayed += ofMessage.replayed;
  });
  return { replayed, more: false, ...(notFound.length > 0 ? { notFound } : {}) };
}

function connect() {
  return httpDeps({ endpoints: endpointStore, replay: callbackReplay, keys: liveKeys });
}
