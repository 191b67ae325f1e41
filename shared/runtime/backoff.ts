import { setTimeout as delay } from 'node:timers/promises';

/** Waits before try number `attempt` (1 is the first repeat): full jitter, doubling, `capMs` at most. */
export type Pause = (attempt: number) => Promise<void>;

export const longestPauseMs = 1_000;

export function backoff(baseMs = 25, capMs = longestPauseMs): Pause {
  return async (attempt) => {
    await delay(Math.random() * Math.min(capMs, baseMs * 2 ** attempt));
  };
}
