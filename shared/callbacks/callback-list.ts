import * as z from 'zod/mini';
import { buckets, callbackKey, callbacksPartition } from '../table/keys.ts';
import { readAll } from '../table/read-all.ts';
import { queryPage } from '../table/rows.ts';
import type { Table } from '../table/table.ts';
import { CallbackState, webhookId } from './callback.ts';
import { CallbackRow, type CallbackStatus } from './callback-row.ts';
import { deliveredLog, type LoggedCallback } from './delivered-log.ts';
import { byPosition, isAfter, type ListPosition } from './list-position.ts';

/** A page of a Query is 1 MB, some two thousand callbacks: so many of a bucket are looked at, in all 100,000. */
const pagesOfBucket = 6;

const Listed = z.object({ messageId: z.string(), state: CallbackState, changedAt: z.number() });

/** One with a row, or one that was delivered at once and is logged. */
export type ListedCallback = CallbackRow | LoggedCallback;

type Wanted = {
  status?: CallbackStatus | undefined;
  after?: ListPosition | undefined;
  limit: number;
  nowMs: number;
};
/** `incomplete`: there are more rows than were looked at. */
type ListPage = { callbacks: ListedCallback[]; last?: ListPosition; incomplete: boolean };

/**
 * A partner's callbacks by the time of their state, newest first. The keys of rows know no time, so all are looked at
 * for each page: that costs writers nothing, and only who asks pays for it.
 */
export function callbackList(table: Table) {
  const log = deliveredLog(table);
  return {
    page: async (partnerId: string, { status, ...bounds }: Wanted): Promise<ListPage> => {
      const { after, limit } = bounds;
      const [read, logged] = await Promise.all([
        Promise.all(buckets.map((bucket) => listIn(table, { partnerId, bucket, status }))),
        mayBeLogged(status) ? log.page(partnerId, bounds) : [],
      ]);
      const left = [...read.flatMap(({ listed }) => listed), ...logged]
        .filter(({ position }) => isAfter(position, after))
        .sort((a, b) => byPosition(a.position, b.position));
      const page = left.slice(0, limit);
      const unread = page.filter((one) => !('attempts' in one));
      const keys = unread.map(({ messageId, state }) => callbackKey(partnerId, messageId, state));
      const rows = z.array(CallbackRow).parse(await readAll(table, keys));
      const found = new Map<string, ListedCallback>(rows.map((row) => [webhookId(row), row]));
      for (const one of logged) found.set(one.position.id, one);
      const last = left.length > limit ? page.at(-1)?.position : undefined;
      return {
        callbacks: page.flatMap(({ position }) => found.get(position.id) ?? []),
        incomplete: read.some(({ cut }) => cut),
        ...(last ? { last } : {}),
      };
    },
  };
}

export type CallbackList = ReturnType<typeof callbackList>;

/** The log has what was delivered at once, and nothing else. */
export function mayBeLogged(status: CallbackStatus | undefined): boolean {
  return status === undefined || status === 'delivered';
}

type Unread = { messageId: string; state: CallbackState; position: ListPosition };
type BucketQuery = { partnerId: string; bucket: number; status: CallbackStatus | undefined };

async function listIn(
  table: Table,
  { partnerId, bucket, status }: BucketQuery,
): Promise<{ listed: Unread[]; cut: boolean }> {
  const listed: Unread[] = [];
  let from: Record<string, unknown> | undefined;
  for (let page = 0; page < pagesOfBucket; page++) {
    const { Items = [], LastEvaluatedKey } = await queryPage(table, {
      KeyConditionExpression: 'pk = :pk',
      ProjectionExpression: 'messageId, #state, changedAt',
      ExpressionAttributeNames: { '#state': 'state', ...(status ? { '#status': 'status' } : {}) },
      ExpressionAttributeValues: {
        ':pk': callbacksPartition(partnerId, bucket),
        ...(status ? { ':status': status } : {}),
      },
      ...(status ? { FilterExpression: '#status = :status' } : {}),
      ExclusiveStartKey: from,
    });
    for (const { changedAt, ...one } of z.array(Listed).parse(Items)) {
      listed.push({ ...one, position: { changedAt, id: webhookId({ ...one, partnerId }) } });
    }
    from = LastEvaluatedKey;
    if (!from) return { listed, cut: false };
  }
  return { listed, cut: true };
}
