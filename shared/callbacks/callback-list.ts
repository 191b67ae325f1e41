import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { buckets, callbackKey, callbacksPartition } from '../table/keys.ts';
import { readAll } from '../table/read-all.ts';
import type { Table } from '../table/table.ts';
import { CallbackState } from './callback.ts';
import { CallbackRow, type CallbackStatus } from './callback-row.ts';

/** A page of a Query is 1 MB, some two thousand callbacks: so many of a bucket are looked at, in all 100,000. */
const pagesOfBucket = 6;

const Listed = z.object({ messageId: z.string(), state: CallbackState, changedAt: z.number() });
type Listed = z.infer<typeof Listed>;

/** The place of a callback in the list. */
export type ListPosition = Listed;

type Wanted = { status?: CallbackStatus | undefined; after?: ListPosition | undefined; limit: number };
/** `incomplete`: there are more rows than were looked at. */
type ListPage = { callbacks: CallbackRow[]; last?: ListPosition; incomplete: boolean };

/**
 * A partner's callbacks by the time of their state, newest first. Their keys know no time, so all rows are looked at
 * for each page: that costs writers nothing, and only who asks pays for it.
 */
export function callbackList(table: Table) {
  return {
    page: async (partnerId: string, { status, after, limit }: Wanted): Promise<ListPage> => {
      const read = await Promise.all(buckets.map((bucket) => listIn(table, { partnerId, bucket, status })));
      const left = read
        .flatMap(({ listed }) => listed)
        .filter((one) => after === undefined || newestFirst(after, one) < 0)
        .sort(newestFirst);
      const page = left.slice(0, limit);
      const keys = page.map(({ messageId, state }) => callbackKey(partnerId, messageId, state));
      const rows = z.array(CallbackRow).parse(await readAll(table, keys));
      const last = left.length > limit ? page.at(-1) : undefined;
      const incomplete = read.some(({ cut }) => cut);
      return { callbacks: rows.sort(newestFirst), incomplete, ...(last ? { last } : {}) };
    },
  };
}

export type CallbackList = ReturnType<typeof callbackList>;

export function newestFirst(a: Listed, b: Listed): number {
  if (a.changedAt !== b.changedAt) return b.changedAt - a.changedAt;
  return `${a.messageId} ${a.state}` < `${b.messageId} ${b.state}` ? -1 : a === b ? 0 : 1;
}

type BucketQuery = { partnerId: string; bucket: number; status: CallbackStatus | undefined };

async function listIn(
  table: Table,
  { partnerId, bucket, status }: BucketQuery,
): Promise<{ listed: Listed[]; cut: boolean }> {
  const listed: Listed[] = [];
  let from: Record<string, unknown> | undefined;
  for (let page = 0; page < pagesOfBucket; page++) {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk',
        ProjectionExpression: 'messageId, #state, changedAt',
        ExpressionAttributeNames: { '#state': 'state', ...(status ? { '#status': 'status' } : {}) },
        ExpressionAttributeValues: {
          ':pk': callbacksPartition(partnerId, bucket),
          ...(status ? { ':status': status } : {}),
        },
        ...(status ? { FilterExpression: '#status = :status' } : {}),
        ...(from ? { ExclusiveStartKey: from } : {}),
      }),
    );
    for (const item of Items) listed.push(Listed.parse(item));
    from = LastEvaluatedKey;
    if (!from) return { listed, cut: false };
  }
  return { listed, cut: true };
}
