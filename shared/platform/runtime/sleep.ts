import { setTimeout } from 'node:timers/promises';
import { systemClock } from './clock.ts';

/**
 * Resolves at this time, or at once when it is over. Not in clock.ts, which the simulation loads before it replaces timers.
 */
export function sleepUntil(atMs: number): Promise<void> {
  return setTimeout(Math.max(0, atMs - systemClock.now()));
}
