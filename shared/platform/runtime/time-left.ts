import { AsyncLocalStorage } from 'node:async_hooks';
import { clearTimeout, setTimeout } from 'node:timers';
import { setTimeout as delay } from 'node:timers/promises';
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import { longestPauseMs, pauseBeforeMs } from './backoff.ts';
import { minutes } from './clock.ts';

/** The part of Lambda's context that says how much time is left. */
export type Timed = { getRemainingTimeInMillis: () => number };

/** Time reserved for the last log line. Lambda would kill the function before it could write one. */
const reserveMs = 500;

/** The time limit of programs that do not run in Lambda. */
const patienceMs = minutes(1);

type Time = { leftMs: () => number; timeoutSignal: AbortSignal };
const time = new AsyncLocalStorage<Time | undefined>();

/**
 * Runs the work of a function within its time limit: calls that the table or the queues refuse are repeated while there
 * is time, and calls that are still under way shortly before the limit are aborted.
 */
export async function withinTime<Result>(context: Timed | undefined, work: () => Promise<Result>) {
  if (!context) return work();
  const leftMs = () => context.getRemainingTimeInMillis() - reserveMs;
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), leftMs());
  try {
    return await time.run({ leftMs, timeoutSignal: end.signal }, work);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs work for which time is reserved: its calls are not aborted when the function's time is over. */
export function inReserve<Result>(work: () => Promise<Result>): Promise<Result> {
  return time.run(undefined, work);
}

/** The signal that aborts when the time of the running function is over. */
export function timeoutSignal(): AbortSignal | undefined {
  return time.getStore()?.timeoutSignal;
}

/** Repeats `attempt` until it has a result, or until there is no time for another try. */
export async function repeated<Result>(
  attempt: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const hasTime = timeFromNow();
  for (let tries = 1; ; tries++) {
    const result = await attempt();
    if (result !== undefined || !hasTime()) return result;
    await delay(pauseBeforeMs(tries));
  }
}

/** Says whether there is time for a pause and another try. */
function timeFromNow(): () => boolean {
  const function_ = time.getStore();
  if (function_) return () => function_.leftMs() > longestPauseMs;
  const until = performance.now() + patienceMs;
  return () => performance.now() < until;
}

/** Says whether half of the time that is left now is over. Outside of a function it never is. */
export function halfOfTime(): () => boolean {
  const { leftMs } = time.getStore() ?? {};
  if (!leftMs) return () => false;
  const halfMs = leftMs() / 2;
  return () => leftMs() < halfMs;
}

type SdkError = Parameters<typeof isTransientError>[0];

/** Whether a call was refused, and so had no effect, because there were too many. */
export function isThrottling(error: unknown): boolean {
  return isThrottlingError(error as SdkError);
}

/** Whether the same call may succeed in a moment: it was throttled, got no response, or failed with a server error. */
export function isTemporary(error: unknown): boolean {
  return isThrottling(error) || isTransientError(error as SdkError) || isServerError(error as SdkError);
}
