import * as z from 'zod/mini';
import { Attempt } from './attempt.ts';
import { Callback } from './callback.ts';

export const CallbackStatus = z.enum(['waiting', 'delivered', 'failed', 'skipped']);
export type CallbackStatus = z.infer<typeof CallbackStatus>;

/**
 * A callback that was not delivered at its first attempt. `version` counts up with every change: who knows the
 * current version may act, everybody else is late.
 */
export const CallbackRow = z.extend(Callback, {
  status: CallbackStatus,
  version: z.int(),
  /** Attempts made in this run of the schedule; a replay starts a new run. */
  tries: z.int(),
  /** How many times in succession it found the circuit open. */
  deferrals: z.int(),
  /** The newest attempts, oldest first, over all runs. */
  attempts: z.array(Attempt),
  /** Why it is skipped or failed. */
  reason: z.optional(z.string()),
  /** Present while waiting. */
  dueAt: z.optional(z.number()),
  createdAt: z.number(),
  updatedAt: z.number(),
  claimedBy: z.optional(z.string()),
});
export type CallbackRow = z.infer<typeof CallbackRow>;

const attemptsKept = 20;

export type History = Pick<CallbackRow, 'tries' | 'deferrals' | 'attempts'>;

/** The next state of a row. */
export type Progress = History &
  (
    | { status: 'waiting'; dueAt: number }
    | { status: 'delivered' }
    | { status: 'failed' | 'skipped'; reason: string }
  );

export const noHistory: History = { tries: 0, deferrals: 0, attempts: [] };

export function historyOf({ tries, deferrals, attempts }: CallbackRow): History {
  return { tries, deferrals, attempts };
}

export function withAttempt({ tries, attempts }: History, attempt: Attempt): History {
  return {
    tries: tries + 1,
    deferrals: 0,
    attempts: [...attempts, attempt].slice(-attemptsKept),
  };
}
