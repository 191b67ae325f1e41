import * as z from 'zod/mini';
import { AttemptError } from '../../shared/callbacks/attempt.ts';
import { CallbackState } from '../../shared/callbacks/callback.ts';
import type { CallbackArchive } from '../../shared/callbacks/callback-archive.ts';
import { type CallbackList, type ListPosition, newestFirst } from '../../shared/callbacks/callback-list.ts';
import { type CallbackRow, CallbackStatus } from '../../shared/callbacks/callback-row.ts';
import { type EndpointDeps, endpoint } from '../../shared/http/endpoint.ts';
import { fail } from '../../shared/http/failures.ts';
import { ok, operation } from '../../shared/http/operation.ts';
import { partner } from '../../shared/partners/callers.ts';
import { queryNumber } from '../../shared/validation/query-number.ts';
import { text } from '../../shared/validation/text.ts';

const ShownAttempt = z
  .object({
    time: z.iso.datetime(),
    httpStatus: z.optional(z.int()),
    error: z.optional(AttemptError),
    durationMs: z.number(),
  })
  .register(z.globalRegistry, { id: 'CallbackAttempt' });

const ShownCallback = z
  .object({
    messageId: z.string().register(z.globalRegistry, { format: 'uuid' }),
    msisdn: z.int(),
    state: CallbackState,
    status: CallbackStatus,
    attempts: z
      .array(ShownAttempt)
      .register(z.globalRegistry, { description: 'The newest 20, oldest first' }),
    reason: z.optional(z.string()),
    nextAttemptAt: z.optional(z.iso.datetime()),
  })
  .register(z.globalRegistry, { id: 'ListedCallback' });

export const listCallbacksOperation = operation({
  id: 'ListCallbacks',
  route: 'GET /callbacks',
  caller: partner([]),
  query: z.object({
    status: z.optional(CallbackStatus),
    messageId: z.optional(text(1, 64, { format: 'uuid', minLength: undefined, maxLength: undefined })),
    limit: queryNumber({ min: 1, max: 100, standard: 50 }),
    cursor: z
      .optional(z.string().check(z.maxLength(300)))
      .register(z.globalRegistry, { description: 'The cursor of the page before' }),
  }),
  response: z
    .object({
      callbacks: z.array(ShownCallback),
      cursor: z.optional(z.string()).register(z.globalRegistry, { description: 'There when more follow' }),
      incomplete: z.optional(z.literal(true)).register(z.globalRegistry, {
        description: 'There when more callbacks are kept than were looked at',
      }),
    })
    .register(z.globalRegistry, { id: 'CallbackPage' }),
  failures: ['REQUEST_INVALID'],
});

type Deps = EndpointDeps & {
  list: CallbackList;
  archive: Pick<CallbackArchive, 'ofMessage'>;
};

/** The callbacks that were not delivered at once, by the time of their state, newest first. */
export function listCallbacks(deps: Deps) {
  return endpoint(listCallbacksOperation, deps, async ({ callerId, query, addFields }) => {
    const { status, messageId, limit, cursor } = query;
    if (messageId !== undefined) {
      const all = await deps.archive.ofMessage(callerId, messageId);
      const wanted = all.filter((row) => status === undefined || row.status === status);
      return ok({ callbacks: wanted.sort(newestFirst).map(shown) });
    }
    const after = cursor === undefined ? undefined : readCursor(cursor);
    if (cursor !== undefined && !after) {
      return fail('REQUEST_INVALID', 'cursor: must be the cursor of the page before, unchanged');
    }
    const { callbacks, last, incomplete } = await deps.list.page(callerId, { status, after, limit });
    addFields({ callbacks: callbacks.length, incomplete });
    return ok({
      callbacks: callbacks.map(shown),
      ...(last ? { cursor: cursorOf(last) } : {}),
      ...(incomplete ? { incomplete } : {}),
    });
  });
}

function cursorOf({ changedAt, messageId, state }: ListPosition): string {
  return Buffer.from(`${changedAt} ${messageId} ${state}`).toString('base64url');
}

function readCursor(cursor: string): ListPosition | undefined {
  const read = /^(\d{1,16}) (\S{1,64}) (\w+)$/.exec(Buffer.from(cursor, 'base64url').toString());
  const state = CallbackState.safeParse(read?.[3]).data;
  return read && state ? { changedAt: Number(read[1]), messageId: read[2] ?? '', state } : undefined;
}

function shown({ messageId, msisdn, state, status, attempts, reason, dueAt }: CallbackRow) {
  return {
    messageId,
    msisdn,
    state,
    status,
    attempts: attempts.map(({ at, ...attempt }) => ({ time: new Date(at).toISOString(), ...attempt })),
    ...(reason === undefined || status === 'waiting' ? {} : { reason }),
    ...(dueAt === undefined ? {} : { nextAttemptAt: new Date(dueAt).toISOString() }),
  };
}
