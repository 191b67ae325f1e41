import * as z from 'zod/mini';
import { systemClock } from '../../platform/runtime/clock.ts';
import { inParallel } from '../../platform/runtime/in-parallel.ts';
import { isRowKept } from '../../platform/table/rows.ts';
import type { Table } from '../../platform/table/table.ts';
import { CallbackRef } from '../callback.ts';
import { withDrain } from '../endpoint/circuit.ts';
import { endpointStore } from '../endpoint/endpoint-store.ts';
import { type CallbackRow, callbackStore, ReplayableStatus } from '../rows/callback-store.ts';
import { type ListedEntry, searchListed, shardsOf, type TimeRange } from './listed-index.ts';

const entriesPerPage = 100;
const writesAtOnce = 10;
const messagesAtOnce = 10;

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
export type ShardPosition = z.infer<typeof ShardPosition>;

/** The position of a replay by status. Its cursor is only valid for the same status. */
export const ReplayPosition = z.extend(ShardPosition, { status: ReplayableStatus });

type Replayable = CallbackRef & Pick<CallbackRow, 'status'>;

type ReplayLimits = {
  from?: ShardPosition | undefined;
  most?: number;
  untilMs?: number;
  report?: (replayed: number) => void;
};

/** A page of rows to replay that have not expired, and where the next page begins; at the end nothing. */
type ReplayPage = { entries: ListedEntry[]; status: ReplayableStatus; next: ShardPosition | undefined };

/**
 * Replays rows shard by shard, oldest first, so that a callback that fails meanwhile is not replayed twice. They are sent
 * like callbacks that an open circuit deferred: each run of SweepDue sends up to 5,000 of a partner, after what is
 * due for everybody.
 */
export function callbackReplay(table: Table, clock = systemClock) {
  const callbacks = callbackStore(table);
  const endpoints = endpointStore(table);

  /** Replays these callbacks of a partner, except those that wait or have changed, and returns how many. */
  const these = async (partnerId: string, rows: readonly Replayable[]): Promise<number> => {
    if (rows.length === 0) return 0;
    const nowMs = clock.now();
    // It comes before the first row: rows without a drain would wait until the circuit opens and closes.
    await endpoints.stepCircuit(partnerId, (circuit) => withDrain(circuit, nowMs), { nowMs });
    let replayed = 0;
    await inParallel(writesAtOnce, rows, async ({ status, ...ref }) => {
      if (status !== 'waiting' && (await callbacks.replay(ref, status, clock.now()))) replayed += 1;
    });
    return replayed;
  };

  async function* pagesOf(
    partnerId: string,
    { statuses, ...range }: ReplaySelection,
    { from = { shard: 0 }, most = Infinity }: { from?: ShardPosition | undefined; most?: number } = {},
  ): AsyncGenerator<ReplayPage> {
    const shards = shardsOf(partnerId, statuses);
    let { shard: n, after } = from;
    let left = most;
    for (let shard = shards[n]; shard && left > 0; shard = shards[n]) {
      const search = { limit: Math.min(entriesPerPage, left), newestFirst: false, ...range, after };
      const { entries, hasMore } = await searchListed(table, shard, search);
      left -= entries.length;
      after = hasMore ? entries.at(-1) : undefined;
      if (!hasMore) n += 1;
      const kept = entries.filter((entry) => isRowKept(entry, clock.now()));
      yield {
        entries: kept,
        status: shard.status,
        next: n < shards.length ? { shard: n, after } : undefined,
      };
    }
  }

  return {
    these,

    /**
     * Replays until `most` entries were read or it is `untilMs`; `stoppedAt` is where the next call continues. After
     * each page `report` gets the number so far.
     */
    some: async (
      partnerId: string,
      selection: ReplaySelection,
      { untilMs = Infinity, report, ...limits }: ReplayLimits = {},
    ) => {
      let replayed = 0;
      let stoppedAt: ShardPosition | undefined;
      for await (const { entries, status, next } of pagesOf(partnerId, selection, limits)) {
        // The index may be behind and show a row under its old status.
        const rows = entries.map(({ sk }) => {
          const [messageId, state] = sk.split('#');
          return { ...CallbackRef.parse({ partnerId, messageId, state }), status };
        });
        replayed += await these(partnerId, rows);
        if (entries.length > 0) report?.(replayed);
        stoppedAt = next;
        if (clock.now() > untilMs) break;
      }
      return { replayed, stoppedAt };
    },

    count: async (partnerId: string, selection: ReplaySelection): Promise<number> => {
      let count = 0;
      for await (const { entries } of pagesOf(partnerId, selection)) count += entries.length;
      return count;
    },

    /** The callbacks that are kept of these messages, as they were a moment ago: half a read unit for each message. */
    kept: async (partnerId: string, messageIds: readonly string[]): Promise<CallbackRow[]> => {
      const kept: CallbackRow[] = [];
      await inParallel(messagesAtOnce, messageIds, async (messageId) => {
        const ofMessage = { partnerId, messageId };
        kept.push(...(await callbacks.ofMessage(ofMessage, clock.now(), { consistent: false })));
      });
      return kept;
    },
  };
}

export type CallbackReplay = ReturnType<typeof callbackReplay>;
