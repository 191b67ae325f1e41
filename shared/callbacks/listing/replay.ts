import type { Clock } from '../../platform/runtime/clock.ts';
import { inParallel } from '../../platform/runtime/in-parallel.ts';
import type { Table } from '../../platform/table/table.ts';
import { CallbackRef } from '../callback.ts';
import type { CallbackStatus } from '../retries/row.ts';
import { callbackStore } from '../retries/store.ts';
import { isKept, type ListedEntry, listedIndex, shardsOf } from './listed-index.ts';

const entriesPerPage = 100;
const writesAtOnce = 10;

/** Callbacks that can be replayed: of these statuses, about changes from `fromMs` (included) to `toMs` (excluded). */
export type ReplaySelection = {
  statuses: readonly Exclude<CallbackStatus, 'waiting'>[];
  fromMs?: number | undefined;
  toMs?: number | undefined;
};

/** Where a walk stopped: in which of the selection's shards, and after which of its entries. */
export type ReplayPosition = { shard: number; after?: Pick<ListedEntry, 'sk' | 'changedAt'> | undefined };

type Limits = { from?: ReplayPosition | undefined; most: number; untilMs: number };
type Visit = (entries: readonly ListedEntry[], status: CallbackStatus) => Promise<void> | void;

const noLimits: Limits = { most: Number.POSITIVE_INFINITY, untilMs: Number.POSITIVE_INFINITY };

/**
 * Makes callbacks due again that have a row. It walks the index `listed`, shard by shard and oldest first, so that one
 * that fails again meanwhile is not replayed twice by the same walk.
 */
export function callbackReplay(table: Table, clock: Clock) {
  const index = listedIndex(table);
  const callbacks = callbackStore(table);

  /** Visits what is kept, page by page, and returns where it stopped, or nothing at the end. */
  const walk = async (
    partnerId: string,
    { statuses, ...range }: ReplaySelection,
    { limits, visit }: { limits: Limits; visit: Visit },
  ): Promise<ReplayPosition | undefined> => {
    const shards = shardsOf(partnerId, statuses);
    let position: ReplayPosition = limits.from ?? { shard: 0 };
    let left = limits.most;
    for (let shard = shards[position.shard]; shard; shard = shards[position.shard]) {
      if (left === 0 || clock.now() > limits.untilMs) return position;
      const { after } = position;
      const search = { limit: Math.min(entriesPerPage, left), newestFirst: false, ...range, after };
      const { entries, hasMore } = await index.search(shard, search);
      const kept = entries.filter((entry) => isKept(entry, clock.now()));
      await visit(kept, shard.status);
      left -= entries.length;
      position = hasMore ? { ...position, after: entries.at(-1) } : { shard: position.shard + 1 };
    }
    return undefined;
  };

  const replay = async (
    partnerId: string,
    selection: ReplaySelection,
    { limits, report }: { limits: Limits; report?: ((replayed: number) => void) | undefined },
  ): Promise<{ replayed: number; stoppedAt?: ReplayPosition }> => {
    let replayed = 0;
    const visit: Visit = async (entries, status) => {
      await inParallel(writesAtOnce, entries, async ({ sk }) => {
        const [messageId, state] = sk.split('#');
        const ref = CallbackRef.parse({ partnerId, messageId, state });
        // The index may still show a row under its former status.
        if (await callbacks.replay(ref, clock.now(), status)) replayed += 1;
      });
      if (entries.length > 0) report?.(replayed);
    };
    const stoppedAt = await walk(partnerId, selection, { limits, visit });
    return { replayed, ...(stoppedAt ? { stoppedAt } : {}) };
  };

  return {
    /** Replays until all is, or `most` were looked at, or it is `untilMs`; `stoppedAt` is where the next call goes on. */
    some: (partnerId: string, selection: ReplaySelection, limits: Limits) =>
      replay(partnerId, selection, { limits }),

    /** Replays everything, and returns how many; `report` is called with the number so far. */
    all: async (
      partnerId: string,
      selection: ReplaySelection,
      report?: (replayed: number) => void,
    ): Promise<number> => (await replay(partnerId, selection, { limits: noLimits, report })).replayed,

    /** How many are selected. */
    count: async (partnerId: string, selection: ReplaySelection): Promise<number> => {
      let count = 0;
      const visit: Visit = ({ length }) => {
        count += length;
      };
      await walk(partnerId, selection, { limits: noLimits, visit });
      return count;
    },
  };
}

export type CallbackReplay = ReturnType<typeof callbackReplay>;

/** What a cursor says: the status that is replayed, and where that stopped. */
export function replayCursorText(status: string, { shard, after }: ReplayPosition): string {
  return [status, shard, ...(after ? [after.changedAt, after.sk] : [])].join(' ');
}

export function readReplayCursor(text: string): { status: string; from: ReplayPosition } | undefined {
  const [, status, shard, changedAt, sk] =
    /^([a-z]+) ([0-7])(?: (\d{1,15}) ([\w#-]{1,200}))?$/.exec(text) ?? [];
  if (status === undefined) return undefined;
  const after = sk === undefined ? {} : { after: { changedAt: Number(changedAt), sk } };
  return { status, from: { shard: Number(shard), ...after } };
}
