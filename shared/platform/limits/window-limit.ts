import { type Failure, type FailureCode, failWithRetryAfter } from '../http/failures.ts';
import { epochSeconds, minutes } from '../runtime/clock.ts';
import { limitedUseKey } from '../table/row-keys/requests.ts';
import type { Table } from '../table/table.ts';
import { countIfFits } from './count-if-fits.ts';

/** The limit in the words of its failure: `field: 10 things a minute are possible, do it again after 12 s`. */
type Limit = { most: number; windowMinutes?: number; field: string; things: string; again: string };

/** A part of a limit, taken before the work. What is not given back counts as used until the window ends. */
export type Share<Code extends FailureCode> = {
  taken: number;
  giveBack: (unused: number) => Promise<void>;
  /** The failure to return if the share is too small for the work. */
  exceeded: Failure<Code>;
};

/** Limits how often a partner may do something in a window of the clock, of one minute or some, over all instances. */
export function windowLimit<Code extends FailureCode>(
  use: Parameters<typeof limitedUseKey>[0],
  code: Code,
  { most, windowMinutes = 1, field, things, again }: Limit,
) {
  const windowMs = minutes(windowMinutes);
  const span = windowMinutes === 1 ? 'a minute' : `in ${windowMinutes} minutes`;
  const windowOf = (partnerId: string, nowMs: number) => {
    const window = Math.floor(nowMs / windowMs);
    const afterSeconds = Math.ceil(((window + 1) * windowMs - nowMs) / 1_000);
    const limit = `${most.toLocaleString('en-US')} ${things} ${span}`;
    const sentence = `${field}: ${limit} are possible, ${again} again after ${afterSeconds} s`;
    return {
      key: limitedUseKey(use, partnerId, window),
      expiresAt: epochSeconds(nowMs + 2 * windowMs),
      exceeded: failWithRetryAfter(code, afterSeconds, sentence),
    };
  };
  return (table: Table) => ({
    /**
     * Takes as many of `wanted` as are left, or returns the failure if none is, which says in how many seconds the next
     * is possible.
     */
    take: async (partnerId: string, wanted: number, nowMs: number): Promise<Share<Code> | Failure<Code>> => {
      const { key, expiresAt, exceeded } = windowOf(partnerId, nowMs);
      let taken = wanted;
      while (taken > 0) {
        const { isCounted, used } = await countIfFits(table, key, { count: taken, limit: most, expiresAt });
        if (isCounted) break;
        // Smaller each time, because the counter had no room for what was tried.
        taken = most - used;
      }
      if (taken <= 0 && wanted > 0) return exceeded;
      const giveBack = async (unused: number) => {
        if (unused > 0) await countIfFits(table, key, { count: -unused, limit: most, expiresAt });
      };
      return { taken, giveBack, exceeded };
    },
  });
}
