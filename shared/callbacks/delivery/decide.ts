import { minutes } from '../../platform/runtime/clock.ts';
import type { Random } from '../../platform/runtime/random.ts';
import type { Attempt } from '../callback.ts';
import type { CallbackLog } from '../endpoint/endpoint.ts';
import type { Admission, AfterFailure, AfterSuccess } from '../endpoint/health.ts';
import { type History, type Progress, withAttempt } from '../retries/store.ts';
import { nextAttemptAt, retryAfterMs } from '../schedule.ts';

/** The facts about a callback that only this worker may attempt. `history` has the attempts before this one. */
export type Facts = { history: History } & (
  | Exclude<Admission, { kind: 'admitted' }>
  /** The slot of the attempt had passed, or there was an `error` of ours. */
  | { kind: 'not attempted'; error?: Error }
  /** `endpoint` says how the attempt changed the state of the endpoint. */
  | { kind: 'succeeded'; attempt: Attempt; endpoint: AfterSuccess; log?: CallbackLog | undefined }
  /** `retryAfter` is the response header, unparsed. */
  | { kind: 'failed'; attempt: Attempt; retryAfter?: string | undefined; endpoint: AfterFailure }
);

type Waiting = Extract<Progress, { status: 'waiting' }>;

/** The result for one callback of a queue message. `progress` is the new content of its row. */
export type Outcome =
  /** Another message or worker has already processed the callback. */
  | { kind: 'repeat' }
  /** No attempt was made, for lack of time, of a slot, or of a socket: the callback must be queued again. */
  | { kind: 'left'; error?: unknown }
  | { kind: 'delivered'; progress: Progress }
  /** A delayed message starts the next attempt; without `delayMs`, SweepDue finds the row when it is due. */
  | { kind: 'retry'; progress: Waiting; delayMs?: number | undefined }
  | { kind: 'deferred'; progress: Waiting }
  /** The row is kept so that the callback can be replayed. */
  | { kind: 'skipped' | 'failed'; progress: Progress; reason: string };

/** SQS delays a message by 15 minutes at most; delayed messages do not count as in flight. */
const longestDelayMs = minutes(15);

type Circumstances = { nowMs: number; random: Random; retrySpeed: number };

/** Decides the outcome from the facts, and neither reads nor writes. */
export function decide(facts: Facts, circumstances: Circumstances): Outcome {
  const { history } = facts;
  switch (facts.kind) {
    case 'not attempted':
      return { kind: 'left', error: facts.error };
    // The mode has just changed. When the message comes again, its worker knows.
    case 'feed':
      return { kind: 'left' };
    case 'out of service':
      return keptForReplay(history, 'skipped', facts.reason);
    case 'circuit open':
      // The row waits until the circuit closes. Rows are then sent in the order in which they were deferred.
      return {
        kind: 'deferred',
        progress: { ...history, status: 'waiting', dueAt: circumstances.nowMs, waitsForCircuit: true },
      };
    case 'succeeded':
      return { kind: 'delivered', progress: { ...withAttempt(history, facts.attempt), status: 'delivered' } };
    case 'failed':
      return afterFailure(facts, circumstances);
  }
}

function afterFailure(
  facts: Extract<Facts, { kind: 'failed' }>,
  { nowMs, random, retrySpeed }: Circumstances,
): Outcome {
  const { endpoint } = facts;
  const history = withAttempt(facts.history, facts.attempt);
  if (endpoint.disabled) return keptForReplay(history, 'skipped', endpoint.disabled);
  const failed = { tries: history.tries, atMs: nowMs, retryAfterMs: retryAfterMs(facts.retryAfter, nowMs) };
  const scheduled = nextAttemptAt(failed, random, retrySpeed);
  if (scheduled === undefined) return keptForReplay(history, 'failed', 'all attempts failed');
  const dueAt = Math.max(scheduled, endpoint.openUntilMs ?? 0);
  const delayMs = dueAt - nowMs;
  const progress: Waiting = { ...history, status: 'waiting', dueAt };
  // A message in the line would still wait when its row is due, and the row would get a second message.
  const isSent = delayMs <= longestDelayMs && dueAt >= (endpoint.lineUntilMs ?? 0);
  return { kind: 'retry', progress, delayMs: isSent ? delayMs : undefined };
}

function keptForReplay(history: History, status: 'skipped' | 'failed', reason: string): Outcome {
  return { kind: status, progress: { ...history, status, reason }, reason };
}
