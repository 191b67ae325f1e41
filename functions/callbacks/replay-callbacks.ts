import * as z from 'zod/mini';
import type { CallbackArchive } from '../../shared/callbacks/callback-archive.ts';
import type { EndpointStore } from '../../shared/callbacks/endpoint-store.ts';
import { endpointNotSet } from '../../shared/callbacks/shown-endpoint.ts';
import { type EndpointDeps, endpoint } from '../../shared/http/endpoint.ts';
import { fail } from '../../shared/http/failures.ts';
import { ok, operation } from '../../shared/http/operation.ts';
import { partner } from '../../shared/partners/callers.ts';
import { MessageId } from '../../shared/push/message-id.ts';
import { inParallel } from '../../shared/runtime/in-parallel.ts';
import { described, named } from '../../shared/validation/documented.ts';

/** Each is a write of about 10 ms, ten at once: 5 s of the 29 that the function has. */
const mostReplayed = 5_000;
const messagesAtOnce = 10;

export const replayCallbacksOperation = operation({
  id: 'ReplayCallbacks',
  route: 'POST /callbacks/replay',
  caller: partner([]),
  body: z
    .object({
      messageIds: z.optional(z.array(MessageId).check(z.minLength(1), z.maxLength(1_000))),
      status: z.optional(z.enum(['failed', 'skipped'])),
      since: described(z.optional(z.iso.datetime({ offset: true })), 'States from then on'),
      until: described(z.optional(z.iso.datetime({ offset: true })), 'States before then'),
    })
    .check(
      z.refine(({ messageIds, status }) => (messageIds === undefined) !== (status === undefined), {
        message: 'needs either messageIds or a status',
      }),
    )
    .register(z.globalRegistry, { id: 'ReplayRequest' }),
  response: named('Replay', {
    replayed: z.int(),
    more: described(z.boolean(), 'Send again for the rest'),
    notFound: described(
      z.optional(z.array(z.string())),
      'The messageIds of which no callback is kept: unknown, delivered at once, or longer than 30 days ago',
    ),
  }),
  failures: ['ENDPOINT_NOT_SET', 'ENDPOINT_DISABLED'],
});

type Deps = EndpointDeps & {
  endpoints: Pick<EndpointStore, 'view'>;
  archive: Pick<CallbackArchive, 'ofMessage' | 'replay' | 'replaySome'>;
};

/** Makes callbacks due again, with a new schedule, 5,000 at most; what is under way is left alone. */
export function replayCallbacks(deps: Deps) {
  return endpoint(replayCallbacksOperation, deps, async ({ callerId, body, addFields }) => {
    const { messageIds, status, since, until } = body;
    const { endpoint: to } = await deps.endpoints.view(callerId, { consistent: true });
    if (!to) return endpointNotSet;
    if (to.status === 'disabled') {
      return fail('ENDPOINT_DISABLED', 'callbacks: they would be skipped again, enable the endpoint first');
    }
    const nowMs = deps.clock.now();
    const selection = {
      statuses: status ? [status] : [],
      ...(since === undefined ? {} : { fromMs: Date.parse(since) }),
      ...(until === undefined ? {} : { toMs: Date.parse(until) }),
    };
    const result = messageIds
      ? await replayMessages(deps, callerId, { messageIds, nowMs })
      : await deps.archive.replaySome(callerId, selection, { nowMs, most: mostReplayed });
    const { replayed, more } = result;
    addFields({ replayed, more });
    return ok(result);
  });
}

async function replayMessages(
  { archive }: Deps,
  partnerId: string,
  { messageIds, nowMs }: { messageIds: readonly string[]; nowMs: number },
) {
  let replayed = 0;
  const notFound: string[] = [];
  await inParallel(messagesAtOnce, [...new Set(messageIds)], async (messageId) => {
    const rows = await archive.ofMessage(partnerId, messageId);
    if (rows.length === 0) notFound.push(messageId);
    for (const row of rows) if (await archive.replay(row, nowMs)) replayed += 1;
  });
  return { replayed, more: false, ...(notFound.length > 0 ? { notFound } : {}) };
}
