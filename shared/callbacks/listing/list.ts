import * as z from 'zod/mini';
import type { Key } from '../../platform/table/keys.ts';
import { readAll } from '../../platform/table/read-all.ts';
import type { Table } from '../../platform/table/table.ts';
import { deliveredLog, type LoggedCallback } from '../delivered-log.ts';
import { byPosition, type ListPosition } from '../list-position.ts';
import { CallbackRow, CallbackStatus } from '../retries/row.ts';
import {
  isKept,
  type ListedEntry,
  type ListedShard,
  listedIndex,
  numberOf,
  shardsOf,
} from './listed-index.ts';

/** Entries take 240 bytes at most, so that these cost half a read unit for each shard. */
const entriesPerShard = 16;
/** Above this, the rest of the entries of a shard is not counted: they cost 2 read units or so. */
const countedPerShard = 100;
/** The numbers of logged callbacks are read from their sends, which are larger than rows. */
const loggedSendsPerPage = 10;

/** One with a row, or one that was delivered at once and is logged. */
export type ListedCallback = CallbackRow | LoggedCallback;

type Wanted = {
  statuses: readonly CallbackStatus[];
  /** Whether to list what was delivered at once and logged, too. */
  withLog: boolean;
  after?: ListPosition | undefined;
  fromMs?: number | undefined;
  toMs?: number | undefined;
  limit: number;
  nowMs: number;
};
/** `last` is there when more may follow, also after a short page. */
type ListPage = { callbacks: ListedCallback[]; last?: ListPosition };

type Counts = { waiting: number; skipped: number; countsAreMinimum?: true };

type Found = { position: ListPosition; entry: ListedEntry | LoggedCallback };
/** The next of one shard of the index, or of one bucket of the log, in its order. */
type Stream = { found: Found[]; hasMore: boolean };

/**
 * A partner's callbacks by the time of their state, newest first. Each shard of the index is searched for itself; a page
 * ends where one of them may have more.
 */
export function callbackList(table: Table) {
  const index = listedIndex(table);
  const log = deliveredLog(table);

  const searchShard = async (shard: ListedShard, wanted: Wanted): Promise<Stream> => {
    const { after, fromMs, toMs } = wanted;
    const stream = numberOf(shard);
    const bounds = !after
      ? { toMs }
      : after.stream === stream
        ? { after: { changedAt: after.changedAt, sk: after.id } }
        : { toMs: after.stream > stream ? after.changedAt : after.changedAt + 1 };
    const limit = entriesPerShard;
    const { entries, hasMore } = await index.search(shard, { limit, newestFirst: true, fromMs, ...bounds });
    const found = entries.map((entry) => ({
      entry,
      position: { changedAt: entry.changedAt, stream, id: entry.sk },
    }));
    return { found, hasMore };
  };

  return {
    page: async (partnerId: string, wanted: Wanted): Promise<ListPage> => {
      const { statuses, withLog, limit, nowMs } = wanted;
      const searches = shardsOf(partnerId, statuses).map((shard) => searchShard(shard, wanted));
      const logged = withLog ? log.search(partnerId, wanted) : [];
      const streams = await Promise.all([...searches, ...logged]);
      const { page, last } = firstOf(streams, limit, nowMs);
      // The index may still show a row under its former status, and so twice. A key may be read once.
      const keys = new Map(page.flatMap(({ entry }) => ('pk' in entry ? [[entry.sk, keyOf(entry)]] : [])));
      const read = await readAll(table, [...keys.values()]);
      const rows = new Map(read.map((row) => [String(row['sk']), row]));
      const callbacks = page.flatMap(({ entry }): ListedCallback[] => {
        if (!('pk' in entry)) return [entry];
        const row = z.optional(CallbackRow).parse(rows.get(entry.sk));
        rows.delete(entry.sk);
        return row && statuses.includes(row.status) ? [row] : [];
      });
      return { callbacks, ...(last ? { last } : {}) };
    },

    /** How many callbacks wait and how many are skipped: exact up to a hundred in each bucket. */
    count: async (partnerId: string, nowMs: number): Promise<Counts> => {
      let isMinimum = false;
      const countOf = async (status: CallbackStatus): Promise<number> => {
        const search = { limit: countedPerShard, newestFirst: true };
        const found = await Promise.all(
          shardsOf(partnerId, [status]).map((shard) => index.search(shard, search)),
        );
        isMinimum ||= found.some(({ hasMore }) => hasMore);
        return found.flatMap(({ entries }) => entries.filter((entry) => isKept(entry, nowMs))).length;
      };
      const [waiting, skipped] = await Promise.all([countOf('waiting'), countOf('skipped')]);
      return { waiting, skipped, ...(isMinimum ? { countsAreMinimum: true } : {}) };
    },
  };
}

function keyOf({ pk, sk }: Key): Key {
  return { pk, sk };
}

export type CallbackList = ReturnType<typeof callbackList>;

/** The log has what was delivered at once, and nothing else. */
export function statusesOf(status: CallbackStatus | undefined): Pick<Wanted, 'statuses' | 'withLog'> {
  return {
    statuses: status === undefined ? CallbackStatus.options : [status],
    withLog: status === undefined || status === 'delivered',
  };
}

/**
 * The first of all streams, up to where a stream may have more than was read of it. What is over stays in the index until
 * the table deletes it: it moves the end of the page, and is not on it.
 */
function firstOf(
  streams: readonly Stream[],
  limit: number,
  nowMs: number,
): { page: Found[]; last?: ListPosition } {
  const [end] = streams
    .flatMap(({ found, hasMore }) => (hasMore ? (found.at(-1)?.position ?? []) : []))
    .sort(byPosition);
  const known = streams
    .flatMap(({ found }) => found)
    .sort((a, b) => byPosition(a.position, b.position))
    .filter(({ position }) => end === undefined || byPosition(position, end) <= 0);
  const page: Found[] = [];
  const sends = new Set<string>();
  for (const one of known) {
    if ('expiresAt' in one.entry && !isKept(one.entry, nowMs)) continue;
    if ('messageId' in one.entry) sends.add(one.entry.messageId.slice(0, -4));
    const before = page.at(-1);
    if (before && (page.length === limit || sends.size > loggedSendsPerPage))
      return { page, last: before.position };
    page.push(one);
  }
  return { page, ...(end ? { last: end } : {}) };
}
