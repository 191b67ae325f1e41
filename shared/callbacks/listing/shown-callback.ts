import * as z from 'zod/mini';
import { AttemptError } from '../../platform/egress/attempt-result.ts';
import { described, named } from '../../platform/validation/documented.ts';
import { CallbackState } from '../callback.ts';
import { type CallbackRow, CallbackStatus } from '../rows/callback-store.ts';
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
    'Not there while an attempt is queued or under way, while the circuit is open, or after a replay',
  ),
});

/** When a scheduled attempt is due, in ms. Other rows that wait have a `dueAt` that is not the time of an attempt. */
export function scheduledAttemptAt(row: CallbackRow): number | undefined {
  const isScheduled = !row.waitsForCircuit && row.queuedAt === undefined && row.claimedBy === undefined;
  return isScheduled ? row.dueAt : undefined;
}

export function shownCallback(listed: ListedCallback, msisdn: number): z.input<typeof ShownCallback> {
  const { messageId, state, attempts } = listed;
  const row = 'status' in listed ? listed : undefined;
  const nextMs = row && scheduledAttemptAt(row);
  return {
    messageId,
    msisdn,
    state,
    status: row?.status ?? 'delivered',
    attempts: attempts.map(({ at, ...attempt }) => ({ time: new Date(at).toISOString(), ...attempt })),
    ...(row?.reason !== undefined && row.status !== 'waiting' ? { reason: row.reason } : {}),
    ...(nextMs === undefined ? {} : { nextAttemptAt: new Date(nextMs).toISOString() }),
  };
}
