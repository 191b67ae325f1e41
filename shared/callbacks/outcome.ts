import { minutes } from '../runtime/clock.ts';
import type { Attempt, AttemptError } from './attempt.ts';
import { type History, type Progress, withAttempt } from './callback-row.ts';
import type { Chance } from './chance.ts';
import type { Success } from './circuit.ts';
import type { CallbackLog } from './endpoint.ts';
import type { AfterFailure } from './endpoint-health.ts';
import { retryAfterMs } from './retry-after.ts';
import { nextAttemptAt } from './retry-schedule.ts';

/** What happened to a callback that was due. `history` is from before. */
export type Facts = { history: History } & (
  | { kind: 'out of service'; reason: 'no endpoint' | 'disabled' }
  | { kind: 'circuit open' }
  /** This machine could not make the attempt. */
  | { kind: 'not attempted'; error: AttemptError }
  | { kind: 'succeeded'; attempt: Attempt; probe: boolean; log?: CallbackLog | undefined }
  /** `retryAfter` is the header as it came; `endpoint` what the failure did to the endpoint. */
  | { kind: 'failed'; attempt: Attempt; retryAfter?: string | undefined; endpoint: AfterFailure }
);

type Waiting = Extract<Progress, { status: 'waiting' }>;

/** What must be done about it. `progress` is what the row of the callback becomes. */
export type Outcome =
  /** Our failure: the message returns to the queue. */
  | { kind: 'returned'; reason: string }
  /** `success` is for the circuit. */
  | { kind: 'delivered'; progress: Progress; success: Pick<Success, 'startedAt' | 'probe'> }
  /** With `delayMs` a delayed message brings it back; without, its row is found when it is due. */
  | { kind: 'retry'; progress: Waiting; delayMs?: number }
  | { kind: 'deferred'; progress: Waiting }
  /** Kept for a replay. */
  | { kind: 'skipped' | 'failed'; progress: Progress; reason: string };

/** SQS delays a message by 15 minutes at most; delayed messages do not count as in flight. */
const longestDelayMs = minutes(15);

type Circumstances = { nowMs: number; chance: Chance; retrySpeed: number };

/** Decides what follows from the facts. Reads and writes nothing. */
export function outcomeOf(facts: Facts, circumstances: Circumstances): Outcome {
  const { history } = facts;
  switch (facts.kind) {
    case 'not attempted':
      return { kind: 'returned', reason: `no attempt could be made: ${facts.error}` };
    case 'out of service':
      return keptForReplay(history, 'skipped', facts.reason);
    case 'circuit open':
      return deferred(history, circumstances);
    case 'succeeded':
      return {
        kind: 'delivered',
        progress: { ...withAttempt(history, facts.attempt), status: 'delivered' },
        success: { startedAt: facts.attempt.at, probe: facts.probe },
      };
    case 'failed':
      return afterFailure(facts, circumstances);
  }
}

/** Until the circuit closes: it comes forward with the others, the longest deferred first. */
function deferred(history: History, { nowMs }: Circumstances): Outcome {
  return {
    kind: 'deferred',
    progress: { ...history, status: 'waiting', dueAt: nowMs, waitsForCircuit: true },
  };
}

function afterFailure(
  facts: Extract<Facts, { kind: 'failed' }>,
  { nowMs, chance, retrySpeed }: Circumstances,
): Outcome {
  const { endpoint } = facts;
  const history = withAttempt(facts.history, facts.attempt);
  if (endpoint.disabled) return keptForReplay(history, 'skipped', endpoint.disabled);
  const failed = {
    tries: history.tries,
    atMs: nowMs,
    retryAfterMs: retryAfterMs(facts.retryAfter, nowMs),
  };
  const scheduled = nextAttemptAt(failed, chance, retrySpeed);
  if (scheduled === undefined) return keptForReplay(history, 'failed', 'all attempts failed');
  const dueAt = Math.max(scheduled, endpoint.openUntilMs ?? 0);
  const delayMs = dueAt - nowMs;
  return {
    kind: 'retry',
    progress: { ...history, status: 'waiting', dueAt },
    ...(delayMs <= longestDelayMs ? { delayMs } : {}),
  };
}

function keptForReplay(history: History, status: 'skipped' | 'failed', reason: string): Outcome {
  return { kind: status, progress: { ...history, status, reason }, reason };
}
