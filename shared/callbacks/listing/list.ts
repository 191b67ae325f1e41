import * as z from 'zod/mini';
import { readAll } from '../../platform/table/read-all.ts';
import type { Table } from '../../platform/table/table.ts';
import { deliveredLog, type ListPosition, type LoggedCallback } from '../delivered-log.ts';
import { CallbackRow, CallbackStatus } from '../retries/row.ts';
import { isKept, type ListedEntry, type ListedShard, searchListed, shardsOf } from './listed-index.ts';

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
type ListPage = { callbacks: ListedCallback[]; last: ListPosition | undefined };

type Counts = { waiting: number; skipped: number; countsAreMinimum: true | undefined };

type Found = { position: ListPosition; entry: ListedEntry | LoggedCallback };
/** The next of one shard of the index, or of one bucket of the log, in its order. */
type Stream = { found: Found[]; hasMore: boolean };

/** A partner's callbacks by the time of their state, newest first. A page ends where a shard may have more. */
export function callbackList(table: Table) {
  const log = deliveredLog(table);

  const searchShard = async (shard: ListedShard, wanted: Wanted): Promise<Stream> => {
    const { after, fromMs, toMs } = wanted;
    const { stream } = shard;
    const bounds = !after
      ? { toMs }
      : after.stream === stream
        ? { after: { changedAt: after.changedAt, sk: after.id } }
        : { toMs: after.stream > stream ? after.changedAt : after.changedAt + 1 };
    const search = { limit: entriesPerShard, newestFirst: true, fromMs, ...bounds };
    const { entries, hasMore } = await searchListed(table, shard, search);
    const found = entries.map((entry) => {
      return { entry, position: { changedAt: entry.changedAt, stream, id: entry.sk } };
    });
    return { found, hasMore };
  };

  return {
    page: async (partnerId: string, wanted: Wanted): Promise<ListPage> => {
      const { statuses, withLog, limit, nowMs } = wanted;
      const searches = shardsOf(partnerId, statuses).map((shard) => searchShard(shard, wanted));
      const logged = withLog ? log.search(partnerId, wanted.after) : [];
      const { page, last } = firstOf(await Promise.all([...searches, ...logged]), limit, nowMs);
      // The index may still show a row under its former status, and so twice. A key may be read once.
      const keys = page.flatMap(({ entry }) => ('pk' in entry ? [{ pk: entry.pk, sk: entry.sk }] : []));
      const read = await readAll(table, [...new Map(keys.map((key) => [key.sk, key])).values()]);
      const rows = new Map(read.map((row) => [String(row['sk']), row]));
      const callbacks = page.flatMap(({ entry }): ListedCallback[] => {
        if (!('pk' in entry)) return [entry];
        const row = z.optional(CallbackRow).parse(rows.get(entry.sk));
        rows.delete(entry.sk);
        return row && statuses.includes(row.status) ? [row] : [];
      });
      return { callbacks, last };
    },

    /** How many callbacks wait and how many are skipped: exact up to a hundred in each bucket. */
    count: async (partnerId: string, nowMs: number): Promise<Counts> => {
      const countOf = async (status: CallbackStatus) => {
        const search = { limit: countedPerShard, newestFirst: true };
        const shards = shardsOf(partnerId, [status]);
        const found = await Promise.all(shards.map((shard) => searchListed(table, shard, search)));
        const kept = found.flatMap(({ entries }) => entries.filter((entry) => isKept(entry, nowMs)));
        return { count: kept.length, isMinimum: found.some(({ hasMore }) => hasMore) };
      };
      const [waiting, skipped] = await Promise.all([countOf('waiting'), countOf('skipped')]);
      const countsAreMinimum = waiting.isMinimum || skipped.isMinimum || undefined;
      return { waiting: waiting.count, skipped: skipped.count, countsAreMinimum };
    },
  };
}

export type CallbackList = ReturnType<typeof callbackList>;

/** The log has what was delivered at once, and nothing else. */
export function statusesOf(status: CallbackStatus | undefined): Pick<Wanted, 'statuses' | 'withLog'> {
  if (status === undefined) return { statuses: CallbackStatus.options, withLog: true };
  return { statuses: [status], withLog: status === 'delivered' };
}

/** Newest first. */
function byPosition({ position: a }: Found, { position: b }: Found): number {
  return b.changedAt - a.changedAt || a.stream - b.stream;
}

/** The first of all streams, up to where one may have more. Expired entries move the end, and are not shown. */
function firstOf(streams: readonly Stream[], limit: number, nowMs: number) {
  const ends = streams.flatMap(({ found, hasMore }) => (hasMore ? found.slice(-1) : []));
  const [end] = ends.sort(byPosition);
  const known = streams.flatMap(({ found }) => found).filter((one) => !end || byPosition(one, end) <= 0);
  const page: Found[] = [];
  const sends = new Set<string>();
  for (const one of known.sort(byPosition)) {
    if (!isKept(one.entry, nowMs)) continue;
    if ('messageId' in one.entry) sends.add(one.entry.messageId.slice(0, -4));
    const before = page.at(-1);
    if (before && (page.length === limit || sends.size > loggedSendsPerPage))
      return { page, last: before.position };
    page.push(one);
  }
  return { page, last: end?.position };
}
