import * as z from 'zod/mini';
import { Attempt } from '../attempt.ts';
import { Callback } from '../callback.ts';

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
  /** The newest attempts, oldest first, over all runs. */
  attempts: z.array(Attempt),
  /** Why it is skipped or failed. */
  reason: z.optional(z.string()),
  /** Present while waiting: when it is looked at again. */
  dueAt: z.optional(z.number()),
  /** It waits for the end of an open circuit, not for a time. */
  waitsForCircuit: z.optional(z.literal(true)),
  /** A message of it is in the queue, since then. */
  queuedAt: z.optional(z.number()),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** In seconds; the table deletes it some time later. */
  expiresAt: z.number(),
  claimedBy: z.optional(z.string()),
});
export type CallbackRow = z.infer<typeof CallbackRow>;

const attemptsKept = 20;
/** A row that is written after every attempt must stay small. */
const responsesKept = 3;

export type History = Pick<CallbackRow, 'tries' | 'attempts'>;

/** The next state of a row. */
export type Progress = History &
  (
    | { status: 'waiting'; dueAt: number; waitsForCircuit?: true }
    | { status: 'delivered' }
    | { status: 'failed' | 'skipped'; reason: string }
  );

export const noHistory: History = { tries: 0, attempts: [] };

export function historyOf({ tries, attempts }: CallbackRow): History {
  return { tries, attempts };
}

/** When the next attempt is scheduled; `undefined` for what is queued, under attempt or deferred. */
export function scheduledAt({
  dueAt,
  waitsForCircuit,
  queuedAt,
  claimedBy,
}: CallbackRow): number | undefined {
  return waitsForCircuit || queuedAt !== undefined || claimedBy !== undefined ? undefined : dueAt;
}

export function withAttempt({ tries, attempts }: History, attempt: Attempt): History {
  const kept = [...attempts, attempt].slice(-attemptsKept);
  return {
    tries: tries + 1,
    attempts: kept.map((one, n) => (n < kept.length - responsesKept ? withoutResponse(one) : one)),
  };
}

function withoutResponse({ response: _over, ...attempt }: Attempt): Attempt {
  return attempt;
}
