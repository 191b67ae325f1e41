import * as z from 'zod/mini';
import { deliveredPartition } from '../../platform/table/row-keys/callbacks.ts';
import { buckets, sortByTime } from '../../platform/table/row-keys/row-key.ts';
import { type Query, queryPage } from '../../platform/table/rows.ts';
import type { Table } from '../../platform/table/table.ts';
import type { CallbackState } from '../callback.ts';
import { type DeliveredRow, readDelivered } from './delivered-row.ts';

/**
 * A page ends this long before now, so that no row can come to lie behind its cursor. A row whose write takes more than 5 s
 * is written again under a new time; the rest is for clocks, of which a reader's may be 5 s ahead of a writer's.
 */
const endsBeforeMs = 10_000;

/** A row has up to 40 callbacks in 1 kB. */
const rowsPerQuery = 8;
const unitsOfQuery = 2;
const mostRounds = 12;

/** Where a reader is: before the row with this key or a later one, or behind some of the callbacks in it. */
export const FeedPosition = z.object({
  sk: z.string().check(z.regex(/^\d{15}#[\w-]{0,100}$/)),
  callbacks: z.int().check(z.nonnegative()),
});
export type FeedPosition = z.infer<typeof FeedPosition>;

/** The position before all that is written from this time on. */
export function feedFrom(atMs: number): FeedPosition {
  return { sk: sortByTime(Math.max(0, atMs)), callbacks: 0 };
}

export type FeedEntry = {
  messageId: string;
  state: CallbackState;
  changedAt: number;
  writtenAt: number;
  position: FeedPosition;
};

/** What was read of a bucket: its rows are complete up to the last one, or up to the end of the page. */
type Source = { pk: string; rows: DeliveredRow[]; next?: Query['ExclusiveStartKey']; isCut: boolean };

type FeedPage = {
  entries: FeedEntry[];
  /** Where the next page begins. */
  last: FeedPosition;
  /** Whether there may be more that can be read now. */
  more: boolean;
  /** The read units that the page and its messages take at most. */
  units: number;
};

/** The most read units that the messages of a page take, of which bodies are built. */
const unitsOfMessages = 400;

type Wanted = {
  after: FeedPosition;
  limit: number;
  nowMs: number;
  /** The rows that a message is read from, and the read units that they take at most. */
  messageReads: (messageId: string) => { rows: string; units: number };
};

/**
 * Reads a partner's feed in the order of writing: the rows of its buckets, merged by their times. Reads are consistent. The
 * order is that of the clocks of the writers.
 */
export function callbackFeed(table: Table) {
  const readOn = async (source: Source, from: string, until: string): Promise<void> => {
    const { rows, next } = await queryPage(table, {
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :until',
      ExpressionAttributeValues: { ':pk': source.pk, ':from': from, ':until': until },
      ConsistentRead: true,
      Limit: rowsPerQuery,
      ExclusiveStartKey: source.next,
    });
    source.rows.push(...rows.map(readDelivered));
    source.next = next;
    source.isCut = next !== undefined;
  };

  return {
    page: async (partnerId: string, wanted: Wanted): Promise<FeedPage> => {
      const { after, limit, nowMs } = wanted;
      const end = feedFrom(nowMs - endsBeforeMs);
      if (after.sk >= end.sk) return { entries: [], last: after, more: false, units: 0 };
      const sources = buckets.map(
        (bucket): Source => ({ pk: deliveredPartition(partnerId, bucket), rows: [], isCut: true }),
      );
      let queries = 0;
      let page: ReturnType<typeof merged>;
      do {
        const cut = sources.filter(({ isCut }) => isCut);
        queries += cut.length;
        await Promise.all(cut.map((source) => readOn(source, after.sk, end.sk)));
        page = merged(sources, { after, end, nowMs });
      } while (page.more && page.entries.length < limit && queries < mostRounds * buckets.length);
      return affordable({ ...page, units: queries * unitsOfQuery }, wanted);
    },
  };
}

/** The entries up to the first row behind which a bucket may have more. */
function merged(
  sources: readonly Source[],
  { after, end, nowMs }: { after: FeedPosition; end: FeedPosition; nowMs: number },
) {
  const [edge] = sources.flatMap(({ rows, isCut }) => (isCut ? rows.slice(-1) : [])).sort(byKey);
  const known = sources.flatMap(({ rows }) => rows).filter(({ sk }) => !edge || sk <= edge.sk);
  const kept = known.filter(({ expiresAt }) => expiresAt * 1_000 > nowMs).sort(byKey);
  const entries = kept.flatMap(({ sk, writtenAt, callbacks }) =>
    callbacks.flatMap(({ messageId, state, changedAt }, n): FeedEntry[] => {
      const isRead = sk === after.sk && n < after.callbacks;
      // The version before this one did not keep the times of states.
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

/** Cuts the page to the limit, and to the units that its messages may take. */
function affordable(page: FeedPage, { limit, messageReads }: Wanted): FeedPage {
  const seen = new Set<string>();
  let units = 0;
  const fitting = page.entries.slice(0, limit);
  const cutAt = fitting.findIndex(({ messageId }) => {
    const { rows, units: more } = messageReads(messageId);
    if (seen.has(rows)) return false;
    if (units + more > unitsOfMessages) return true;
    seen.add(rows);
    units += more;
    return false;
  });
  const entries = cutAt < 0 ? fitting : fitting.slice(0, cutAt);
  const isCut = entries.length < page.entries.length;
  const last = isCut ? (entries.at(-1)?.position ?? page.last) : page.last;
  return { ...page, entries, last, more: page.more || isCut, units: page.units + units };
}
