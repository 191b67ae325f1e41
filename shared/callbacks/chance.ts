import type { Ids } from '../runtime/ids.ts';

/** A number from 0 (included) to 1 (excluded). */
export type Chance = () => number;

const bytes = 6;

export function chanceFrom(ids: Ids): Chance {
  return () => Buffer.from(ids.token(bytes), 'base64url').readUIntBE(0, bytes) / 2 ** (8 * bytes);
}

/** The duration, 20 % shorter to 20 % longer, so that the retries of many callbacks spread out. */
export function jittered(durationMs: number, chance: Chance): number {
  return Math.round(durationMs * (0.8 + 0.4 * chance()));
}
