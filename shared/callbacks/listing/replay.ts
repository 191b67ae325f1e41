import * as z from 'zod/mini';
import { systemClock } from '../../platform/runtime/clock.ts';
import { inParallel } from '../../platform/runtime/in-parallel.ts';
import type { Table } from '../../platform/table/table.ts';
import { CallbackRef } from '../callback.ts';
import { withDrain } from '../endpoint/circuit.ts';
import { endpointStore } from '../endpoint/store.ts';
import { settlesMs } from '../endpoint/views.ts';
import { type CallbackRow, ReplayableStatus } from '../retries/row.ts';
import { callbackStore } from '../retries/store.ts';
import { isKept, type ListedEntry, searchListed, shardsOf, type TimeRange } from './listed-index.ts';

const entriesPerPage = 100;
const writesAtOnce = 10;
const messagesAtOnce = 10;
/** A drain that finds no rows ends after a minute, so a long replay keeps it going. */
const drainKeptForMs = 20_000;

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

/**
 * Replays rows shard by shard, oldest first, so that a callback that fails meanwhile is not replayed twice. They are sent
 * like callbacks that an open circuit deferred: each run of SweepDue sends up to 5,000 of a partner, after what is
 * due for everybody.
 */
export function callbackReplay(table: Table, clock = systemClock) {
  const callbacks = callbackStore(table);
  const endpoints = endpointStore(table);

  /** Before the first row is replayed: rows without a drain would wait until the circuit opens and closes. */
  const keepDraining = async (partnerId: string): Promise<void> => {
    const nowMs = clock.now();
    // The circuit was closed before, so the drain need not wait until all instances know that it is.
    const closedAt = nowMs - settlesMs;
    await endpoints.stepCircuit(partnerId, (circuit) => withDrain(circuit, closedAt), nowMs);
  };

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
      let keptAt = Number.NEGATIVE_INFINITY;
      const visit: Visit = async (entries, status) => {
        if (entries.length === 0) return;
        if (clock.now() - keptAt >= drainKeptForMs) {
          keptAt = clock.now();
          await keepDraining(partnerId);
        }
        await inParallel(writesAtOnce, entries, async ({ sk }) => {
          const [messageId, state] = sk.split('#');
          const ref = CallbackRef.parse({ partnerId, messageId, state });
          // The index may be behind and show a row under its old status.
          if (await callbacks.replay(ref, status, clock.now())) replayed += 1;
        });
        report?.(replayed);
      };
      const stoppedAt = await walk(partnerId, selection, { ...limits, visit });
      return { replayed, stoppedAt };
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

    /** Replays these callbacks of a partner, except those that wait, and returns how many. */
    these: async (partnerId: string, rows: readonly CallbackRow[]): Promise<number> => {
      let replayed = 0;
      if (rows.length > 0) await keepDraining(partnerId);
      await inParallel(writesAtOnce, rows, async (row) => {
        if (row.status !== 'waiting' && (await callbacks.replay(row, row.status, clock.now()))) replayed += 1;
      });
      return replayed;
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

export type CallbackReplay = ReturnType<typeof callbackReplay>;
