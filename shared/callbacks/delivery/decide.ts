import { minutes } from '../../platform/runtime/clock.ts';
import type { Random } from '../../platform/runtime/random.ts';
import type { Attempt } from '../callback.ts';
import type { CallbackLog } from '../endpoint/endpoint.ts';
import type { Admission, EndpointAfterFailure, EndpointAfterSuccess } from '../endpoint/health.ts';
import { type History, type Progress, withAttempt } from '../rows/callback-store.ts';
import { nextAttemptAt, retryAfterMs } from '../schedule.ts';

/** The facts about a callback that only this worker may attempt. `history` has the attempts before this one. */
export type Facts = { history: History } & (
  | Exclude<Admission, { kind: 'admitted' }>
  /** The line of the endpoint's pace is full. */
  | { kind: 'line full'; waitingSince?: number | undefined }
  /** The slot of the attempt had passed, or there was an `error` of ours. */
  | { kind: 'not attempted'; error?: Error }
  /** `after` says how the attempt changed the endpoint. */
  | { kind: 'succeeded'; attempt: Attempt; after: EndpointAfterSuccess; log?: CallbackLog | undefined }
  /** `retryAfter` is the response header, unparsed. */
  | { kind: 'failed'; attempt: Attempt; retryAfter?: string | undefined; after: EndpointAfterFailure }
);

type Waiting = Extract<Progress, { status: 'waiting' }>;

/** The result for one callback of a queue message. `progress` is the new content of its row. */
export type Decision =
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

/** Decides from the facts, and neither reads nor writes. */
export function decide(facts: Facts, circumstances: Circumstances): Decision {
  const { history } = facts;
  switch (facts.kind) {
    case 'not attempted':
      return { kind: 'left', error: facts.error };
    // The mode has just changed. When the message comes again, its worker knows.
    case 'feed':
      return { kind: 'left' };
    case 'out of service':
      return keptForReplay(history, 'skipped', facts.reason);
    // A drain sends rows in the order of `dueAt`: as they were deferred, or if the line was full as they began to wait.
    case 'circuit open':
      return deferredFrom(history, circumstances.nowMs);
    case 'line full':
      return deferredFrom(history, facts.waitingSince ?? circumstances.nowMs);
    case 'succeeded':
      return { kind: 'delivered', progress: { ...withAttempt(history, facts.attempt), status: 'delivered' } };
    case 'failed':
      return decideAfterFailure(facts, circumstances);
  }
}

function deferredFrom(history: History, dueAt: number): Decision {
  return { kind: 'deferred', progress: { ...history, status: 'waiting', dueAt, waitsForCircuit: true } };
}

function decideAfterFailure(
  facts: Extract<Facts, { kind: 'failed' }>,
  { nowMs, random, retrySpeed }: Circumstances,
): Decision {
  const { after } = facts;
  const history = withAttempt(facts.history, facts.attempt);
  if (after.disabled) return keptForReplay(history, 'skipped', after.disabled);
  const failed = { tries: history.tries, atMs: nowMs, retryAfterMs: retryAfterMs(facts.retryAfter, nowMs) };
  const scheduled = nextAttemptAt(failed, random, retrySpeed);
  if (scheduled === undefined) return keptForReplay(history, 'failed', 'all attempts failed');
  const dueAt = Math.max(scheduled, after.openUntilMs ?? 0);
  const delayMs = dueAt - nowMs;
  const progress: Waiting = { ...history, status: 'waiting', dueAt };
  // A delayed message leaves the row unmarked. If it then waited in line, SweepDue would send a second one. So a row that
  // is due while the line lasts is left to SweepDue, which marks it as queued.
  const isSent = delayMs <= longestDelayMs && dueAt >= (after.lineUntilMs ?? 0);
  return { kind: 'retry', progress, delayMs: isSent ? delayMs : undefined };
}

function keptForReplay(history: History, status: 'skipped' | 'failed', reason: string): Decision {
  return { kind: status, progress: { ...history, status, reason }, reason };
}
