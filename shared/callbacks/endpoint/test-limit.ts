import { epochSeconds, minutes } from '../../platform/runtime/clock.ts';
import { countUpTo } from '../../platform/table/count-up-to.ts';
import { callbackTestsKey } from '../../platform/table/keys.ts';
import type { Table } from '../../platform/table/table.ts';

/** Rate limit for test callbacks, so that a partner cannot use us to flood a third party. */
export const testsPerMinute = 10;

export function callbackTests(table: Table) {
  return {
    /** Counts one more, or returns in how many seconds the next is possible. */
    count: async (partnerId: string, nowMs: number): Promise<{ retryAfterSeconds: number } | undefined> => {
      const minute = Math.floor(nowMs / minutes(1));
      const expiresAt = epochSeconds(nowMs + minutes(2));
      const key = callbackTestsKey(partnerId, minute);
      const used = await countUpTo(table, key, { count: 1, limit: testsPerMinute, expiresAt });
      if (used !== undefined) return undefined;
      return { retryAfterSeconds: Math.ceil(((minute + 1) * minutes(1) - nowMs) / 1_000) };
    },
  };
}
