import { setTimeout } from 'node:timers/promises';
import { systemClock } from './clock.ts';

/**
 * Resolves at this time, or at once when it is over. It is not in clock.ts, because the simulation loads that file before it
 * replaces timers.
 */
export function sleepUntil(atMs: number): Promise<void> {
  return setTimeout(Math.max(0, atMs - systemClock.now()));
}
