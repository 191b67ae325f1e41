import * as z from 'zod/mini';
import { epochSeconds, systemClock } from '../../platform/runtime/clock.ts';
import { countUpTo } from '../../platform/table/count-up-to.ts';
import { rateWindowKey } from '../../platform/table/keys.ts';
import { readAll } from '../../platform/table/read-all.ts';
import type { Table } from '../../platform/table/table.ts';

const windowMs = 60_000;

/** A busy instance writes the window's row a thousand times at most, however small its requests are. */
const leasesPerWindow = 1_000;

export type RateVerdict = {
  allowed: boolean;
  limit: number;
  /** This instance's estimate: what nobody had leased at its last lease, plus the rest of its own lease. */
  remaining: number;
  /** Until the next window. */
  resetSeconds: number;
  /** The time that chose the window: what is taken from it is accepted at this time. */
  atMs: number;
};

type Lease = { window: number; left: number; unleased: number };

const Leased = z.object({ used: z.number() });

/**
 * A limit of recipients a minute for each partner, over all function instances. The window's row in the table can
 * never be leased beyond the limit; an instance leases a block with one conditional write and spends it from
 * memory, so that the row is not written for every message.
 */
export function rateWindow(table: Table, clock = systemClock) {
  const leases = new Map<string, Lease>();

  const lease = (partnerId: string, window: number, block: number, limit: number) => {
    const expiresAt = epochSeconds((window + 2) * windowMs);
    return countUpTo(table, rateWindowKey(partnerId, window), { count: block, limit, expiresAt });
  };

  return {
    /** Reads how many recipients are left in the partner's window, without taking any. */
    look: async (partnerId: string, limit: number): Promise<RateVerdict> => {
      const now = clock.now();
      const window = Math.floor(now / windowMs);
      const [row] = await readAll(table, [rateWindowKey(partnerId, window)], { consistent: true });
      const used = row === undefined ? 0 : Leased.parse(row).used;
      const own = leases.get(partnerId);
      const left = own?.window === window ? own.left : 0;
      return {
        allowed: true,
        limit,
        remaining: Math.max(0, limit - used) + left,
        resetSeconds: secondsLeft(window, now),
        atMs: now,
      };
    },

    /** Takes `count` recipients from the partner's window, all or none. */
    take: async (partnerId: string, count: number, limit: number): Promise<RateVerdict> => {
      const now = clock.now();
      const window = Math.floor(now / windowMs);
      const resetSeconds = secondsLeft(window, now);
      const known = leases.get(partnerId);
      const own: Lease = known?.window === window ? known : { window, left: 0, unleased: limit };
      leases.set(partnerId, own);
      const verdict = (allowed: boolean) => ({
        allowed,
        limit,
        remaining: own.left + own.unleased,
        resetSeconds,
        atMs: now,
      });

      if (own.left < count) {
        const missing = count - own.left;
        // A whole block first; near the end of the window, exactly what is missing may still fit.
        const blocks = [...new Set([Math.max(missing, Math.ceil(limit / leasesPerWindow)), missing])];
        for (const block of blocks.filter((size) => size <= limit)) {
          const used = await lease(partnerId, window, block, limit);
          if (used === undefined) continue;
          own.left += block;
          own.unleased = limit - used;
          break;
        }
      }
      if (own.left < count) return { ...verdict(false), remaining: own.left };
      own.left -= count;
      return verdict(true);
    },
  };
}

function secondsLeft(window: number, now: number): number {
  return Math.ceil(((window + 1) * windowMs - now) / 1_000);
}

export type RateWindow = ReturnType<typeof rateWindow>;
