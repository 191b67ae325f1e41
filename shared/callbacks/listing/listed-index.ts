import * as z from 'zod/mini';
import { callbacksPartition, listedShardKey } from '../../platform/table/row-keys/callbacks.ts';
import { buckets } from '../../platform/table/row-keys/row-key.ts';
import { queryPage } from '../../platform/table/rows.ts';
import type { Table } from '../../platform/table/table.ts';
import { CallbackStatus } from '../rows/callback-store.ts';

/** A row as the index shows it, which may be a moment out of date. */
const ListedEntry = z.object({
  pk: z.string(),
  sk: z.string(),
  changedAt: z.number(),
  expiresAt: z.number(),
});
export type ListedEntry = z.infer<typeof ListedEntry>;

/** A partner's callbacks of one status in one bucket. `stream` is its number among the sources of a list. */
export type ListedShard<Status = CallbackStatus> = {
  partnerId: string;
  status: Status;
  bucket: number;
  stream: number;
};

/** States that were reached from `fromMs` (included) to `toMs` (excluded). */
export type TimeRange = { fromMs?: number | undefined; toMs?: number | undefined };

type Search = TimeRange & {
  limit: number;
  newestFirst: boolean;
  /** Only entries after this one, which may have been deleted. */
  after?: Pick<ListedEntry, 'sk' | 'changedAt'> | undefined;
};

export function shardsOf<Status extends CallbackStatus>(partnerId: string, statuses: readonly Status[]) {
  return statuses.flatMap((status) => {
    const first = CallbackStatus.options.indexOf(status) * buckets.length;
    return buckets.map((bucket) => ({ partnerId, status, bucket, stream: first + bucket }));
  });
}

/** Searches a shard by time. It continues after an entry, because only the index orders entries of one time. */
export async function searchListed(
  table: Table,
  { partnerId, status, bucket }: ListedShard,
  { limit, newestFirst, fromMs = 0, toMs = Number.MAX_SAFE_INTEGER, after }: Search,
): Promise<{ entries: ListedEntry[]; hasMore: boolean }> {
  const listedShard = listedShardKey(partnerId, bucket, status);
  // DynamoDB refuses a start key outside the searched range.
  const isBehind = after && (newestFirst ? after.changedAt < fromMs : after.changedAt >= toMs);
  if (fromMs >= toMs || isBehind) return { entries: [], hasMore: false };
  const start = after && after.changedAt >= fromMs && after.changedAt < toMs ? after : undefined;
  const { rows, next } = await queryPage(table, {
    IndexName: 'listed',
    KeyConditionExpression: 'listedShard = :shard AND changedAt BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':shard': listedShard, ':from': fromMs, ':to': toMs - 1 },
    ScanIndexForward: !newestFirst,
    Limit: limit,
    ExclusiveStartKey: start && {
      listedShard,
      changedAt: start.changedAt,
      pk: callbacksPartition(partnerId, bucket),
      sk: start.sk,
    },
  });
  return { entries: z.array(ListedEntry).parse(rows), hasMore: next !== undefined };
}
