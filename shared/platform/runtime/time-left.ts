import { AsyncLocalStorage } from 'node:async_hooks';
import { clearTimeout, setTimeout } from 'node:timers';
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import { backoff, longestPauseMs, type Pause } from './backoff.ts';
import { minutes } from './clock.ts';

/** What Lambda tells a function of its time. */
export type Timed = { getRemainingTimeInMillis: () => number };

/** Left to say what was not done. A function that is killed says nothing. */
const reserveMs = 500;

/** What a program at a terminal waits for. */
const patienceMs = minutes(1);

type Time = { leftMs: () => number; isOver: AbortSignal };
const time = new AsyncLocalStorage<Time | undefined>();

/**
 * Does the work of a function: while it has time, what the table and the queues do not take at once is tried again, and
 * shortly before its end the calls that are under way are ended.
 */
export async function inTimeOf<Result>(
  context: Timed | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!context) return work();
  const leftMs = () => context.getRemainingTimeInMillis() - reserveMs;
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), leftMs());
  try {
    return await time.run({ leftMs, isOver: end.signal }, work);
  } finally {
    clearTimeout(timer);
  }
}

/** Does what is left to do when the time is over: calls made here are not ended with it. */
export function inReserve<Result>(work: () => Promise<Result>): Promise<Result> {
  return time.run(undefined, work);
}

/** Is aborted when the time of the function under way is over. */
export function timeIsOver(): AbortSignal | undefined {
  return time.getStore()?.isOver;
}

/** Repeats `attempt` until it has a result, or until there is no time for another try. */
export async function repeated<Result>(
  attempt: () => Promise<Result | undefined>,
  pause: Pause = backoff(),
): Promise<Result | undefined> {
  const hasTime = timeFromNow();
  for (let tries = 1; ; tries++) {
    const result = await attempt();
    if (result !== undefined || !hasTime()) return result;
    await pause(tries);
  }
}

/** Says whether there is time for a pause and another try. */
export function timeFromNow(): () => boolean {
  const function_ = time.getStore();
  if (function_) return () => function_.leftMs() > longestPauseMs;
  const until = performance.now() + patienceMs;
  return () => performance.now() < until;
}

type SdkError = Parameters<typeof isTransientError>[0];

/** Whether a call was refused, and so had no effect, because there were too many. */
export function isThrottling(error: unknown): boolean {
  return isThrottlingError(error as SdkError);
}

/** Whether the same call may be answered in a moment: it was throttled, not answered, or failed on their side. */
export function isTemporary(error: unknown): boolean {
  return isThrottling(error) || isTransientError(error as SdkError) || isServerError(error as SdkError);
}
