import type { Ids } from './ids.ts';

/** A number from 0 (included) to 1 (excluded). */
export type Random = () => number;

const bytes = 6;

export function randomFrom(ids: Ids): Random {
  return () => Buffer.from(ids.token(bytes), 'base64url').readUIntBE(0, bytes) / 2 ** (8 * bytes);
}

/** The duration, 20 % shorter to 20 % longer, so that the retries of many callbacks spread out. */
export function jittered(durationMs: number, random: Random): number {
  return Math.round(durationMs * (0.8 + 0.4 * random()));
}
