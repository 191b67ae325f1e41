import * as z from 'zod/mini';
import { readAll } from '../../platform/table/batches.ts';
import { isRowKept } from '../../platform/table/rows.ts';
import type { Table } from '../../platform/table/table.ts';
import type { CallbackState } from '../callback.ts';
import { CallbackRow, CallbackStatus } from '../rows/callback-store.ts';
import {
  type ListedEntry,
  type ListedShard,
  searchListed,
  shardsOf,
  type TimeRange,
} from './listed-index.ts';
import { type ListPosition, type LoggedCallback, loggedCallbacks } from './logged-callbacks.ts';

/** An entry takes at most 240 bytes, so reading this many costs half a read unit per shard. */
const entriesPerShard = 16;
/** The maximum number of entries that are counted in a shard. Reading them costs about 2 read units. */
const countedPerShard = 100;
/** A page reads the phone numbers of logged callbacks from at most this many sends, which are large rows. */
const loggedSendsPerPage = 10;

/** A callback with a row, or a logged callback that its first attempt delivered. */
export type ListedCallback = ListedRow | LoggedCallback;
type ListedRow = CallbackRow & { state: CallbackState };

/** Partners list what they are told about messages. Their alerts are those of another endpoint. */
export function isOfMessage(row: CallbackRow): row is ListedRow {
  return row.state !== 'ALERT';
}

type Wanted = TimeRange & {
  statuses: readonly CallbackStatus[];
  /** Whether to list logged callbacks too. */
  withLog: boolean;
  after?: ListPosition | undefined;
  limit: number;
  nowMs: number;
};

type Found = { position: ListPosition; entry: ListedEntry | LoggedCallback };
/** The next entries of one shard of the index, or of one bucket of the log, in order. */
type Source = { found: Found[]; hasMore: boolean };

/** A partner's callbacks by the time of their state, newest first. A page ends where a shard may have more. */
export function callbackList(table: Table) {
  const log = loggedCallbacks(table);

  const searchShard = async (shard: ListedShard, wanted: Wanted): Promise<Source> => {
    const { after, fromMs, toMs } = wanted;
    const { stream } = shard;
    const bounds = !after
      ? { toMs }
      : after.stream === stream
        ? { after: { changedAt: after.changedAt, sk: after.id } }
        : { toMs: after.stream > stream ? after.changedAt : after.changedAt + 1 };
    const search = { limit: entriesPerShard, newestFirst: true, fromMs, ...bounds };
    const { entries, hasMore } = await searchListed(table, shard, search);
    const positionOf = ({ changedAt, sk: id }: ListedEntry) => ({ changedAt, stream, id });
    const found = entries.map((entry) => ({ entry, position: positionOf(entry) }));
    return { found, hasMore };
  };

  return {
    /** `last` is set when more may follow, even after a page that is not full. */
    page: async (partnerId: string, wanted: Wanted) => {
      const { statuses, withLog, limit, nowMs } = wanted;
      const searches = shardsOf(partnerId, statuses).map((shard) => searchShard(shard, wanted));
      const logged = withLog ? log.search(partnerId, wanted.after) : [];
      const { page, last } = firstOf(await Promise.all([...searches, ...logged]), limit, nowMs);
      // The index may be behind and show a row twice, under its old and new status. BatchGetItem refuses repeated keys.
      const keys = page.flatMap(({ entry }) => ('pk' in entry ? [{ pk: entry.pk, sk: entry.sk }] : []));
      const read = await readAll(table, [...new Map(keys.map((key) => [key.sk, key])).values()]);
      const rows = new Map(read.map((row) => [String(row['sk']), row]));
      const callbacks = page.flatMap(({ entry }): ListedCallback[] => {
        if (!('pk' in entry)) return [entry];
        const row = z.optional(CallbackRow).parse(rows.get(entry.sk));
        rows.delete(entry.sk);
        return row && statuses.includes(row.status) && isOfMessage(row) ? [row] : [];
      });
      return { callbacks, last };
    },

    /** How many callbacks wait and how many are skipped: exact up to a hundred in each bucket. */
    count: async (partnerId: string, nowMs: number) => {
      const countOf = async (status: CallbackStatus) => {
        const search = { limit: countedPerShard, newestFirst: true };
        const shards = shardsOf(partnerId, [status]);
        const found = await Promise.all(shards.map((shard) => searchListed(table, shard, search)));
        const kept = found.flatMap(({ entries }) => entries.filter((entry) => isRowKept(entry, nowMs)));
        return { count: kept.length, isMinimum: found.some(({ hasMore }) => hasMore) };
      };
      const [waiting, skipped] = await Promise.all([countOf('waiting'), countOf('skipped')]);
      const countsAreMinimum = waiting.isMinimum || skipped.isMinimum || undefined;
      return { waiting: waiting.count, skipped: skipped.count, countsAreMinimum };
    },
  };
}

/** The index and the log to search for a status. The log has only delivered callbacks. */
export function statusesOf(status: CallbackStatus | undefined): Pick<Wanted, 'statuses' | 'withLog'> {
  if (status === undefined) return { statuses: CallbackStatus.options, withLog: true };
  return { statuses: [status], withLog: status === 'delivered' };
}

/** Newest first. */
function byPosition({ position: a }: Found, { position: b }: Found): number {
  return b.changedAt - a.changedAt || a.stream - b.stream;
}

/** Merges the sources up to the first one that may have more. Expired entries are not shown. */
function firstOf(sources: readonly Source[], limit: number, nowMs: number) {
  const ends = sources.flatMap(({ found, hasMore }) => (hasMore ? found.slice(-1) : []));
  const [end] = ends.sort(byPosition);
  const known = sources.flatMap(({ found }) => found).filter((one) => !end || byPosition(one, end) <= 0);
  const page: Found[] = [];
  const sends = new Set<string>();
  for (const one of known.sort(byPosition)) {
    if (!isRowKept(one.entry, nowMs)) continue;
    if ('messageId' in one.entry) sends.add(one.entry.messageId.slice(0, -4));
    const before = page.at(-1);
    if (before && (page.length === limit || sends.size > loggedSendsPerPage))
      return { page, last: before.position };
    page.push(one);
  }
  return { page, last: end?.position };
}
