import * as z from 'zod/mini';
import { described, named } from '../validation/documented.ts';
import { AttemptError } from './attempt.ts';
import { CallbackState } from './callback.ts';
import type { ListedCallback } from './callback-list.ts';
import { CallbackStatus } from './callback-row.ts';

const ShownAttempt = named('CallbackAttempt', {
  time: z.iso.datetime(),
  httpStatus: z.optional(z.int()),
  error: z.optional(AttemptError),
  durationMs: z.number(),
});

export const ShownCallback = named('ListedCallback', {
  messageId: z.string().register(z.globalRegistry, { format: 'uuid' }),
  msisdn: z.int(),
  state: CallbackState,
  status: CallbackStatus,
  attempts: described(z.array(ShownAttempt), 'The newest 20, oldest first'),
  reason: z.optional(z.string()),
  nextAttemptAt: z.optional(z.iso.datetime()),
});

export function shownCallback(listed: ListedCallback, msisdn: number): z.input<typeof ShownCallback> {
  const { messageId, state, attempts } = listed;
  const of = 'status' in listed ? listed : { status: 'delivered' as const };
  return {
    messageId,
    msisdn,
    state,
    status: of.status,
    attempts: attempts.map(({ at, ...attempt }) => ({ time: new Date(at).toISOString(), ...attempt })),
    ...('reason' in of && of.status !== 'waiting' ? { reason: of.reason } : {}),
    ...('dueAt' in of && of.dueAt !== undefined ? { nextAttemptAt: new Date(of.dueAt).toISOString() } : {}),
  };
}
