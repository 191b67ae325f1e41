import * as z from 'zod/mini';
import { systemClock } from '../../platform/runtime/clock.ts';
import { inParallel } from '../../platform/runtime/in-parallel.ts';
import type { Table } from '../../platform/table/table.ts';
import { CallbackRef } from '../callback.ts';
import { ReplayableStatus } from '../retries/row.ts';
import { callbackStore } from '../retries/store.ts';
import { isKept, type ListedEntry, searchListed, shardsOf, type TimeRange } from './listed-index.ts';

const entriesPerPage = 100;
const writesAtOnce = 10;

/** The callbacks to replay. */
export type ReplaySelection = TimeRange & { statuses: readonly ReplayableStatus[] };

/** A position in a walk over the shards of a selection: the shard, and the last entry that was visited in it. */
const ShardPosition = z.object({
  shard: z.int().check(z.nonnegative()),
  after: z.optional(
    z.object({
      changedAt: z.int().check(z.nonnegative()),
      sk: z.string().check(z.regex(/^[\w#-]{1,200}$/)),
    }),
  ),
});
type ShardPosition = z.infer<typeof ShardPosition>;

/** The position of a replay by status. Its cursor is only valid for the same status. */
export const ReplayPosition = z.extend(ShardPosition, { status: ReplayableStatus });

type Limits = { from?: ShardPosition | undefined; most?: number; untilMs?: number };
type Visit = (entries: readonly ListedEntry[], status: ReplayableStatus) => Promise<void> | void;

/** Replays rows shard by shard, oldest first, so that a callback that fails meanwhile is not replayed twice. */
export function callbackReplay(table: Table, clock = systemClock) {
  const callbacks = callbackStore(table);

  /** Visits the rows that have not expired, page by page, and returns where it stopped, or nothing at the end. */
  const walk = async (
    partnerId: string,
    { statuses, ...range }: ReplaySelection,
    { from, most = Infinity, untilMs = Infinity, visit }: Limits & { visit: Visit },
  ): Promise<ShardPosition | undefined> => {
    const shards = shardsOf(partnerId, statuses);
    let position: ShardPosition = from ?? { shard: 0 };
    let left = most;
    for (let shard = shards[position.shard]; shard; shard = shards[position.shard]) {
      if (left === 0 || clock.now() > untilMs) return position;
      const { after } = position;
      const search = { limit: Math.min(entriesPerPage, left), newestFirst: false, ...range, after };
      const { entries, hasMore } = await searchListed(table, shard, search);
      const kept = entries.filter((entry) => isKept(entry, clock.now()));
      await visit(kept, shard.status);
      left -= entries.length;
      position = hasMore ? { ...position, after: entries.at(-1) } : { shard: position.shard + 1 };
    }
    return undefined;
  };

  return {
    /**
     * Replays until `most` entries were visited or it is `untilMs`; `stoppedAt` is where the next call continues. After
     * each page `report` gets the number so far.
     */
    some: async (
      partnerId: string,
      selection: ReplaySelection,
      { report, ...limits }: Limits & { report?: (replayed: number) => void } = {},
    ) => {
      let replayed = 0;
      const visit: Visit = async (entries, status) => {
        await inParallel(writesAtOnce, entries, async ({ sk }) => {
          const [messageId, state] = sk.split('#');
          const ref = CallbackRef.parse({ partnerId, messageId, state });
          // The index may be behind and show a row under its old status.
          if (await callbacks.replay(ref, status, clock.now())) replayed += 1;
        });
        if (entries.length > 0) report?.(replayed);
      };
      const stoppedAt = await walk(partnerId, selection, { ...limits, visit });
      return { replayed, stoppedAt };
    },

    /** Replays the callbacks of a message, except those that wait. `found` counts those that have a row. */
    ofMessage: async (partnerId: string, messageId: string): Promise<{ found: number; replayed: number }> => {
      const rows = await callbacks.ofMessage(partnerId, messageId, clock.now());
      let replayed = 0;
      for (const row of rows)
        if (row.status !== 'waiting' && (await callbacks.replay(row, row.status, clock.now()))) replayed += 1;
      return { found: rows.length, replayed };
    },

    count: async (partnerId: string, selection: ReplaySelection): Promise<number> => {
      let count = 0;
      const visit: Visit = ({ length }) => {
        count += length;
      };
      await walk(partnerId, selection, { visit });
      return count;
    },
  };
}
