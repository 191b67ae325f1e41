import type { FailedAttempt } from '../platform/egress/attempt-result.ts';
import { hours, minutes } from '../platform/runtime/clock.ts';
import { jittered, type Random } from '../platform/runtime/random.ts';

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
  retrySpeed = 1,
): number | undefined {
  const waitMs = waitsMs[failed.tries - 1];
  if (waitMs === undefined) return undefined;
  return failed.atMs + Math.round(Math.max(jittered(waitMs, random), failed.retryAfterMs) / retrySpeed);
}

/** A partner may ask us to wait for at most a day. */
const longestMs = hours(24);

/** The wait that a Retry-After header (RFC 9110: whole seconds or an HTTP date) asks for: 0 to 24 h. */
export function retryAfterMs(header: string | undefined, nowMs: number): number {
  const value = header?.trim() ?? '';
  const askedMs = /^\d+$/.test(value) ? Number(value) * 1_000 : httpDate(value) - nowMs;
  return Number.isNaN(askedMs) ? 0 : Math.min(Math.max(askedMs, 0), longestMs);
}

const pausingStatuses: readonly (number | undefined)[] = [429, 502, 503, 504];
const longestPauseMs = minutes(15);

/** The pause that a response asks for, of the whole endpoint and not only of this callback (rule 35): 0 to 15 min. */
export function pauseMs(response: Pick<FailedAttempt, 'httpStatus' | 'retryAfter'>, nowMs: number): number {
  if (!pausingStatuses.includes(response.httpStatus)) return 0;
  return Math.min(retryAfterMs(response.retryAfter, nowMs), longestPauseMs);
}

/** `Date.parse` accepts much that is not an HTTP date ("2"): all three forms begin with the name of a day. */
function httpDate(value: string): number {
  return /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(value)
    ? Date.parse(value.endsWith('GMT') ? value : `${value} GMT`)
    : Number.NaN;
}
