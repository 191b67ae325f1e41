import { setTimeout as delay } from 'node:timers/promises';

const basePauseMs = 25;
export const longestPauseMs = 1_000;

/** Waits before repeat number `attempt`, counted from 1: full jitter, and twice as long each time. */
export async function backOff(attempt: number): Promise<void> {
  await delay(Math.random() * Math.min(longestPauseMs, basePauseMs * 2 ** attempt));
}

/** Waits for about `ms`, a quarter more or less, so that instances that began together do not go on together. */
export async function waitAbout(ms: number): Promise<void> {
  await delay(ms * (0.75 + Math.random() / 2));
}
