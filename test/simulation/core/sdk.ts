import { isThrottling, timeIsOver } from '../../../shared/runtime/time-left.ts';
import { invocations } from './calls.ts';
import { theRun } from './current.ts';
import { physics } from './physics.ts';

const { attempts, throttledDelayMs, longestDelayMs, tokens, tokensOfRetry } = physics.sdk;

/** Ends with the time of the function, as the SDK ends a call by its signal. */
async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const signal = timeIsOver();
  if (!signal) return work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(Object.assign(new Error('Request aborted'), { name: 'AbortError' }));
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort));
}

/** Makes a call as the SDK does: what was throttled it tries again, a little later each time. `isRefused` holds for all tries. */
export async function asTheSdk<Answer>(attempt: (isRefused: boolean) => Promise<Answer>): Promise<Answer> {
  const { faults, time, rng } = theRun;
  const invocation = invocations.getStore();
  const isRefused = invocation !== undefined && !invocation.isSafe && faults.happens('throttled');
  for (let tries = 0; ; tries++) {
    try {
      const answer = await inTime(attempt(isRefused));
      if (invocation?.sdk) invocation.sdk.tokens = Math.min(tokens, invocation.sdk.tokens + 1);
      return answer;
    } catch (error) {
      if (!invocation || !isThrottling(error) || tries + 1 >= attempts) throw error;
      const own = invocation.sdk ?? { tokens };
      if (own.tokens < tokensOfRetry) throw error;
      own.tokens -= tokensOfRetry;
      await inTime(time.sleep(rng.random() * Math.min(throttledDelayMs * 2 ** tries, longestDelayMs)));
    }
  }
}
