import { hours, minutes } from '../../platform/runtime/clock.ts';
import { jittered, type Random } from '../../platform/runtime/random.ts';

/** Rule 23: the waits between attempts, 75 h 35 min in all. */
const waitsMs = [
  5_000,
  minutes(5),
  minutes(30),
  hours(2),
  hours(5),
  hours(10),
  hours(14),
  hours(20),
  hours(24),
] as const;

export const maxTries = waitsMs.length + 1;

/** CALLBACK_RETRY_SPEED: 1 in deployed stages; N divides all waits for a partner by N. */
export function retrySpeed(text: string): number {
  const speed = Number(text);
  if (!(speed > 0) || !Number.isFinite(speed)) throw new Error(`CALLBACK_RETRY_SPEED is no speed: ${text}`);
  return speed;
}

/** When the next attempt is due after `tries` failed ones, or `undefined` after the last. */
export function nextAttemptAt(
  failed: { tries: number; atMs: number; retryAfterMs: number },
  random: Random,
  speed = 1,
): number | undefined {
  const waitMs = waitsMs[failed.tries - 1];
  if (waitMs === undefined) return undefined;
  return failed.atMs + Math.round(Math.max(jittered(waitMs, random), failed.retryAfterMs) / speed);
}
