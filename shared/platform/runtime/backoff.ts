import { setTimeout as delay } from 'node:timers/promises';

/** Waits before try number `attempt` (1 is the first repeat): full jitter, doubling, `capMs` at most. */
export type Pause = (attempt: number) => Promise<void>;

export const longestPauseMs = 1_000;

export function backoff(baseMs = 25, capMs = longestPauseMs): Pause {
  return async (attempt) => {
    await delay(Math.random() * Math.min(capMs, baseMs * 2 ** attempt));
  };
}

/** Waits for about `ms`, a quarter more or less, so that instances that began together do not go on together. */
export async function waitAbout(ms: number): Promise<void> {
  await delay(ms * (0.75 + Math.random() / 2));
}
