import * as z from 'zod/mini';
import { countIfFits } from '../../platform/limits/count-if-fits.ts';
import { BoundedMap } from '../../platform/runtime/bounded-map.ts';
import { epochSeconds, systemClock } from '../../platform/runtime/clock.ts';
import { readAll } from '../../platform/table/batches.ts';
import { rateWindowKey } from '../../platform/table/row-keys/push.ts';
import type { Table } from '../../platform/table/table.ts';

const windowMs = 60_000;

/** A busy instance writes the window's row a thousand times at most, however small its requests are. */
const leasesPerWindow = 1_000;

export type RateVerdict = {
  allowed: boolean;
  limit: number;
  /** The recipients that were not leased when this instance last asked, and the rest of its own lease. */
  remaining: number;
  /** The time until the next window. */
  resetSeconds: number;
  /** The time that chose the window. Messages that are counted in the window are accepted at this time. */
  atMs: number;
};

/** The partner's limit, and the time whose minute is meant (ms); left out, it is the current one. */
type Rate = { limit: number; fromMs?: number | undefined };

type Lease = { window: number; left: number; unleased: number };

const Leased = z.object({ used: z.number() });

/**
 * A limit of recipients a minute for each partner, over all function instances. The window's row in the table can
 * never be leased beyond the limit; an instance leases a block with one conditional write and spends it from
 * memory, so that the row is not written for every message.
 */
export function rateWindow(table: Table, clock = systemClock) {
  const leases = new BoundedMap<string, Lease>();

  /** The window: the lease that this instance has of it, `name` in its memory, and a function that makes verdicts. */
  const windowAt = (partnerId: string, { limit, fromMs }: Rate) => {
    const atMs = clock.now();
    const window = Math.floor((fromMs ?? atMs) / windowMs);
    const name = `${partnerId} ${fromMs === undefined ? 'now' : window}`;
    const known = leases.get(name);
    const own: Lease = known?.window === window ? known : { window, left: 0, unleased: limit };
    const resetSeconds = Math.ceil(((window + 1) * windowMs - atMs) / 1_000);
    const facts = { limit, resetSeconds, atMs };
    return {
      name,
      own,
      verdict: (allowed: boolean, remaining: number) => ({ allowed, remaining, ...facts }),
    };
  };

  /** Reads how many recipients are left in the partner's window, without taking any. */
  const look = async (partnerId: string, rate: Rate): Promise<RateVerdict> => {
    const { limit } = rate;
    const { own, verdict } = windowAt(partnerId, rate);
    const [row] = await readAll(table, [rateWindowKey(partnerId, own.window)], { consistent: true });
    const used = row === undefined ? 0 : Leased.parse(row).used;
    return verdict(true, Math.max(0, limit - used) + own.left);
  };

  return {
    look,

    /** Takes `count` recipients from the partner's window, all or none. More than the limit fit into no window. */
    take: async (partnerId: string, count: number, rate: Rate): Promise<RateVerdict> => {
      const { limit } = rate;
      if (count > limit) return { ...(await look(partnerId, rate)), allowed: false };
      const { name, own, verdict } = windowAt(partnerId, rate);
      leases.set(name, own);
      if (own.left < count) {
        const missing = count - own.left;
        const key = rateWindowKey(partnerId, own.window);
        const expiresAt = epochSeconds((own.window + 2) * windowMs);
        // A whole block first; near the end of the window, exactly what is missing may still fit.
        const blocks = [...new Set([Math.max(missing, Math.ceil(limit / leasesPerWindow)), missing])];
        for (const block of blocks) {
          const { isCounted, used } = await countIfFits(table, key, { count: block, limit, expiresAt });
          // The limit may have been lowered within the window.
          own.unleased = Math.max(0, limit - used);
          if (!isCounted) continue;
          own.left += block;
          break;
        }
      }
      const allowed = own.left >= count;
      if (allowed) own.left -= count;
      return verdict(allowed, own.left + own.unleased);
    },
  };
}

export type RateWindow = ReturnType<typeof rateWindow>;
