import * as z from 'zod/mini';
import { deliveredPartition } from '../../platform/table/row-keys/callbacks.ts';
import { buckets, timeSortKey } from '../../platform/table/row-keys/row-key.ts';
import { isRowKept, type Query, queryPage } from '../../platform/table/rows.ts';
import type { Table } from '../../platform/table/table.ts';
import type { CallbackState } from '../callback.ts';
import { type DeliveredRow, readDelivered } from './delivered-row.ts';

/**
 * A page ends this long before now, so that no row can come to lie behind its cursor. A row whose write takes more than 5 s
 * is written again under a new time; the rest is for clocks, of which a reader's may be 5 s ahead of a writer's.
 */
const endsBeforeMs = 10_000;

/** The first query of a bucket reads this many rows, and each further one of a page twice as many, up to the second number. */
const fewestRows = 8;
const mostRows = 64;
/** A row has up to 40 callbacks in 1 kB. */
const rowsOfUnit = 4;
/** A page ends when its rows have taken so many read units: 400 callbacks in rows of their own take fewer. */
const mostUnits = 200;

/** Where a reader is: before the row with this key or a later one, or behind some of the callbacks in it. */
export const FeedPosition = z.object({
  sk: z.string().check(z.regex(/^\d{15}#[\w-]{0,100}$/)),
  callbacks: z.int().check(z.nonnegative()),
});
export type FeedPosition = z.infer<typeof FeedPosition>;

/** The position before all that is written from this time on. */
export function feedFrom(atMs: number): FeedPosition {
  return { sk: timeSortKey(Math.max(0, atMs)), callbacks: 0 };
}

export type FeedEntry = {
  messageId: string;
  state: CallbackState;
  changedAt: number;
  writtenAt: number;
  position: FeedPosition;
};

/** What was read of a bucket: its rows are complete up to the last one, or up to the end of the page. */
type Source = {
  pk: string;
  rows: DeliveredRow[];
  next?: Query['ExclusiveStartKey'];
  isCut: boolean;
  rowsWanted: number;
};

export type FeedPage = {
  entries: FeedEntry[];
  /** Where the next page begins. */
  last: FeedPosition;
  /** Whether there may be more that can be read now. */
  more: boolean;
  /** The read units that it took, at most. */
  units: number;
};

type Wanted = { after: FeedPosition; limit: number; nowMs: number };

/**
 * Reads a partner's feed in the order of writing: the rows of its buckets, merged by their times. Reads are consistent. The
 * order is that of the clocks of the writers.
 */
export function callbackFeed(table: Table) {
  const readOn = async (source: Source, from: string, until: string): Promise<number> => {
    const { rows, next } = await queryPage(table, {
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :until',
      ExpressionAttributeValues: { ':pk': source.pk, ':from': from, ':until': until },
      ConsistentRead: true,
      Limit: source.rowsWanted,
      ExclusiveStartKey: source.next,
    });
    source.rows.push(...rows.map(readDelivered));
    source.next = next;
    source.isCut = next !== undefined;
    source.rowsWanted = Math.min(mostRows, 2 * source.rowsWanted);
    return Math.max(1, Math.ceil(rows.length / rowsOfUnit));
  };

  return {
    page: async (partnerId: string, { after, limit, nowMs }: Wanted): Promise<FeedPage> => {
      const end = feedFrom(nowMs - endsBeforeMs);
      if (after.sk >= end.sk) return { entries: [], last: after, more: false, units: 0 };
      const sources = buckets.map(
        (bucket): Source => ({
          pk: deliveredPartition(partnerId, bucket),
          rows: [],
          isCut: true,
          rowsWanted: fewestRows,
        }),
      );
      let units = 0;
      let page: ReturnType<typeof merged>;
      do {
        const cut = sources.filter(({ isCut }) => isCut);
        const taken = await Promise.all(cut.map((source) => readOn(source, after.sk, end.sk)));
        units += taken.reduce((sum, one) => sum + one, 0);
        page = merged(sources, { after, end, nowMs });
      } while (page.more && page.entries.length < limit && units < mostUnits);
      return firstEntries({ ...page, units }, limit);
    },
  };
}

/** The page with its first entries alone. The next page goes on behind them. */
export function firstEntries(page: FeedPage, count: number): FeedPage {
  if (page.entries.length <= count) return page;
  const entries = page.entries.slice(0, count);
  return { ...page, entries, last: entries.at(-1)?.position ?? page.last, more: true };
}

/** The entries up to the first row behind which a bucket may have more. */
function merged(
  sources: readonly Source[],
  { after, end, nowMs }: { after: FeedPosition; end: FeedPosition; nowMs: number },
) {
  const [edge] = sources.flatMap(({ rows, isCut }) => (isCut ? rows.slice(-1) : [])).sort(byKey);
  const known = sources.flatMap(({ rows }) => rows).filter(({ sk }) => !edge || sk <= edge.sk);
  const kept = known.filter((row) => isRowKept(row, nowMs)).sort(byKey);
  const entries = kept.flatMap(({ sk, writtenAt, callbacks }) =>
    callbacks.flatMap(({ messageId, state, changedAt }, n): FeedEntry[] => {
      const isRead = sk === after.sk && n < after.callbacks;
      // Rows that were written before 25 November 2026 lack the times of states.
      if (isRead || changedAt === undefined) return [];
      return [{ messageId, state, changedAt, writtenAt, position: { sk, callbacks: n + 1 } }];
    }),
  );
  const last = edge ? { sk: edge.sk, callbacks: edge.callbacks.length } : end;
  return { entries, last, more: edge !== undefined };
}

function byKey(a: DeliveredRow, b: DeliveredRow): number {
  return a.sk < b.sk ? -1 : 1;
}
