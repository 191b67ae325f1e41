import { epochSeconds, minutes } from '../runtime/clock.ts';
import { countUpTo } from '../table/count-up-to.ts';
import { limitedUseKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** Limits how often a partner may do something in a minute of the clock, over all function instances. */
export function minuteLimit(use: Parameters<typeof limitedUseKey>[0], limit: number) {
  return (table: Table) => ({
    /** Counts one more, or returns in how many seconds the next is possible. */
    count: async (partnerId: string, nowMs: number): Promise<{ retryAfterSeconds: number } | undefined> => {
      const minute = Math.floor(nowMs / minutes(1));
      const expiresAt = epochSeconds(nowMs + minutes(2));
      const used = await countUpTo(table, limitedUseKey(use, partnerId, minute), {
        count: 1,
        limit,
        expiresAt,
      });
      if (used !== undefined) return undefined;
      return { retryAfterSeconds: Math.ceil(((minute + 1) * minutes(1) - nowMs) / 1_000) };
    },
  });
}
