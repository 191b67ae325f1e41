import * as z from 'zod/mini';
import { Attempt, Callback } from '../callback.ts';

export const ReplayableStatus = z.enum(['delivered', 'failed', 'skipped']);
export type ReplayableStatus = z.infer<typeof ReplayableStatus>;
export const CallbackStatus = z.enum(['waiting', ...ReplayableStatus.options]);
export type CallbackStatus = z.infer<typeof CallbackStatus>;

/** A callback that its first attempt did not deliver. Every change is conditional on the current `version`. */
export const CallbackRow = z.extend(Callback, {
  status: CallbackStatus,
  version: z.int(),
  /** Attempts made in this run of the schedule; a replay starts a new run. */
  tries: z.int(),
  /** The newest attempts, oldest first, over all runs. */
  attempts: z.array(Attempt),
  reason: z.optional(z.string()),
  /** When the next attempt is due. Present while the callback waits. */
  dueAt: z.optional(z.number()),
  /** The callback waits for a drain of its partner, and not for a time: an open circuit deferred it, or a replay. */
  waitsForCircuit: z.optional(z.literal(true)),
  /** When a message for the row was sent to the queue. */
  queuedAt: z.optional(z.number()),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** When it was last replayed. From then on `expiresAt` does not change any more. */
  replayedAt: z.optional(z.number()),
  /** In epoch seconds. DynamoDB deletes the row some time later. */
  expiresAt: z.number(),
  claimedBy: z.optional(z.string()),
});
export type CallbackRow = z.infer<typeof CallbackRow>;

const attemptsKept = 20;
/** Only the newest attempts keep their response: the row is written after each attempt and must stay small. */
const responsesKept = 3;

export type History = Pick<CallbackRow, 'tries' | 'attempts'>;

export type Progress = History &
  (
    | { status: 'waiting'; dueAt: number; waitsForCircuit?: true }
    | { status: 'delivered' }
    | { status: 'failed' | 'skipped'; reason: string }
  );

export const noHistory: History = { tries: 0, attempts: [] };

export function withAttempt({ tries, attempts }: History, attempt: Attempt): History {
  const kept = [...attempts, attempt].slice(-attemptsKept);
  return {
    tries: tries + 1,
    attempts: kept.map(({ response, ...one }, n) =>
      response === undefined || n < kept.length - responsesKept ? one : { ...one, response },
    ),
  };
}
