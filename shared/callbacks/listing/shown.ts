import * as z from 'zod/mini';
import { AttemptError } from '../../platform/egress/attempt-result.ts';
import { described, named } from '../../platform/validation/documented.ts';
import { CallbackState } from '../callback.ts';
import { CallbackStatus, scheduledAt } from '../retries/row.ts';
import type { ListedCallback } from './list.ts';

const ShownAttempt = named('CallbackAttempt', {
  time: z.iso.datetime(),
  httpStatus: z.optional(z.int()),
  error: z.optional(AttemptError),
  response: described(
    z.optional(z.string()),
    'The first 300 characters of the response of a failed attempt, if it is text; kept of the newest 3',
  ),
  durationMs: z.number(),
});

export const ShownCallback = named('ListedCallback', {
  messageId: z.string().register(z.globalRegistry, { format: 'uuid' }),
  msisdn: z.int(),
  state: CallbackState,
  status: CallbackStatus,
  attempts: described(z.array(ShownAttempt), 'The newest 20, oldest first'),
  reason: z.optional(z.string()),
  nextAttemptAt: described(
    z.optional(z.iso.datetime()),
    'Not there while an attempt is queued or under way, or while the circuit is open',
  ),
});

export function shownCallback(listed: ListedCallback, msisdn: number): z.input<typeof ShownCallback> {
  const { messageId, state, attempts } = listed;
  const of = 'status' in listed ? listed : { status: 'delivered' as const };
  const nextAttemptAt = 'dueAt' in of ? scheduledAt(of) : undefined;
  return {
    messageId,
    msisdn,
    state,
    status: of.status,
    attempts: attempts.map(({ at, ...attempt }) => ({ time: new Date(at).toISOString(), ...attempt })),
    ...('reason' in of && of.status !== 'waiting' ? { reason: of.reason } : {}),
    ...(nextAttemptAt === undefined ? {} : { nextAttemptAt: new Date(nextAttemptAt).toISOString() }),
  };
}
