import { TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { isThrottling, timeoutSignal } from '../../../shared/platform/runtime/time-left.ts';
import { type Invocation, invocations } from './calls.ts';
import { physics } from './physics.ts';
import type { RunParts } from './run-parts.ts';

const { attempts, throttledDelayMs, conflictDelayMs, longestDelayMs, tokens, tokensOfRetry } = physics.sdk;

/** Returns how long the SDK waits before its first retry, or `undefined` if it does not retry this error. */
function delayAfter(error: unknown): number | undefined {
  if (isThrottling(error)) return throttledDelayMs;
  // `repeatingConflicts` makes the client of the table retry these.
  return error instanceof TransactionConflictException ? conflictDelayMs : undefined;
}

/** Rejects when the function's time is over, as the SDK aborts a call by its signal. */
async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const signal = timeoutSignal();
  if (!signal) return work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(Object.assign(new Error('Request aborted'), { name: 'AbortError' }));
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort));
}

/** Makes a call as the SDK does, and counts it as under way until its caller gets an answer or an error. */
export async function asTheSdk<Answer>(
  parts: RunParts,
  attempt: (isRefused: boolean) => Promise<Answer>,
): Promise<Answer> {
  const invocation = invocations.getStore();
  if (invocation) invocation.underWay += 1;
  try {
    return await withRetries(parts, invocation, attempt);
  } finally {
    if (invocation) invocation.underWay -= 1;
  }
}

/** Makes a call again after throttling. `isRefused` is the same for all tries. */
async function withRetries<Answer>(
  { faults, time, rng }: RunParts,
  invocation: Invocation | undefined,
  attempt: (isRefused: boolean) => Promise<Answer>,
): Promise<Answer> {
  const isRefused = invocation !== undefined && !invocation.isSafe && faults.happens('throttled');
  for (let tries = 0; ; tries++) {
    try {
      const answer = await inTime(attempt(isRefused));
      if (invocation?.sdk) invocation.sdk.tokens = Math.min(tokens, invocation.sdk.tokens + 1);
      return answer;
    } catch (error) {
      const delayMs = delayAfter(error);
      if (!invocation || delayMs === undefined || tries + 1 >= attempts) throw error;
      const own = invocation.sdk ?? { tokens };
      if (own.tokens < tokensOfRetry) throw error;
      own.tokens -= tokensOfRetry;
      await inTime(time.sleep(rng.random() * Math.min(delayMs * 2 ** tries, longestDelayMs)));
    }
  }
}
