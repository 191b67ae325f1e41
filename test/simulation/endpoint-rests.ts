import type { Exchange } from './actors/partners.ts';

export type Ended = Required<Exchange>;

/** The outcome of an attempt is in the table at most this long after its end. */
export const writtenWithinMs = 4_000;
/** Rule 44: a change is in force everywhere 5 s later. */
export const inForceWithinMs = writtenWithinMs + 5_000;

const firstCooldownMs = 30_000;
const longestRestMs = 900_000;

export function isEnded(exchange: Exchange): exchange is Ended {
  return exchange.endedAt !== undefined;
}

/** Rule 35: returns how long this response asks to leave the endpoint alone. */
export function pauseOf({ result }: Exchange): number {
  if (!result || result.ok || ![429, 502, 503, 504].includes(result.httpStatus ?? 0)) return 0;
  return Math.min(Number(result.retryAfter ?? 0) * 1_000, longestRestMs);
}

export function cooldownOf(openings: number): number {
  return Math.min(firstCooldownMs * 2 ** (openings - 1), longestRestMs);
}
