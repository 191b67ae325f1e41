import { type Failure, type FailureCode, failWithRetryAfter } from '../http/failures.ts';
import { epochSeconds, minutes } from '../runtime/clock.ts';
import { limitedUseKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { countUpTo } from './count-up-to.ts';

/** The limit in the words of its failure: `field: 10 things a minute are possible, do it again after 12 s`. */
type Limit = { perMinute: number; field: string; things: string; again: string };

/** Limits how often a partner may do something in a minute of the clock, over all function instances. */
export function minuteLimit<Code extends FailureCode>(
  use: Parameters<typeof limitedUseKey>[0],
  code: Code,
  { perMinute, field, things, again }: Limit,
) {
  return (table: Table) => ({
    /** Counts one more, or returns the failure, which says in how many seconds the next is possible. */
    count: async (partnerId: string, nowMs: number): Promise<Failure<Code> | undefined> => {
      const minute = Math.floor(nowMs / minutes(1));
      const key = limitedUseKey(use, partnerId, minute);
      const expiresAt = epochSeconds(nowMs + minutes(2));
      const used = await countUpTo(table, key, { count: 1, limit: perMinute, expiresAt });
      if (used !== undefined) return undefined;
      const afterSeconds = Math.ceil(((minute + 1) * minutes(1) - nowMs) / 1_000);
      const sentence = `${field}: ${perMinute} ${things} a minute are possible, ${again} again after ${afterSeconds} s`;
      return failWithRetryAfter(code, afterSeconds, sentence);
    },
  });
}
