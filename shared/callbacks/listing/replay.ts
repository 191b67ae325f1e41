import type { Clock } from '../../platform/runtime/clock.ts';
import { inParallel } from '../../platform/runtime/in-parallel.ts';
import type { Table } from '../../platform/table/table.ts';
import { CallbackRef } from '../callback.ts';
import type { CallbackStatus } from '../retries/row.ts';
import { callbackStore } from '../retries/store.ts';
import { isKept, type ListedEntry, searchListed, shardsOf } from './listed-index.ts';

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

type Limits = { from?: ReplayPosition | undefined; most?: number; untilMs?: number };
type Report = (replayed: number) => void;
type Visit = (entries: readonly ListedEntry[], status: CallbackStatus) => Promise<void> | void;

/** Replays rows, shard by shard of `listed` and oldest first: one that fails again meanwhile is not replayed twice. */
export function callbackReplay(table: Table, clock: Clock) {
  const callbacks = callbackStore(table);

  /** Visits what is kept, page by page, and returns where it stopped, or nothing at the end. */
  const walk = async (
    partnerId: string,
    { statuses, ...range }: ReplaySelection,
    { from, most = Infinity, untilMs = Infinity, visit }: Limits & { visit: Visit },
  ): Promise<ReplayPosition | undefined> => {
    const shards = shardsOf(partnerId, statuses);
    let position: ReplayPosition = from ?? { shard: 0 };
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

  /** Replays until all is, or `most` were looked at, or it is `untilMs`; `stoppedAt` is where the next call goes on. */
  const some = async (
    partnerId: string,
    selection: ReplaySelection,
    { report, ...limits }: Limits & { report?: Report | undefined },
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
    const stoppedAt = await walk(partnerId, selection, { ...limits, visit });
    return { replayed, ...(stoppedAt ? { stoppedAt } : {}) };
  };

  return {
    some,

    /** Replays everything, and returns how many; `report` is called with the number so far. */
    all: async (partnerId: string, selection: ReplaySelection, report?: Report): Promise<number> =>
      (await some(partnerId, selection, { report })).replayed,

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
