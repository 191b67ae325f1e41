import { gunzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import { days, epochSeconds } from '../runtime/clock.ts';
import { gzip } from '../runtime/gzip.ts';
import { bucketOf, buckets, deliveredPartition, deliveredSort } from '../table/keys.ts';
import { putRow, type Query, queryPage } from '../table/rows.ts';
import type { Table } from '../table/table.ts';
import type { Attempt } from './attempt.ts';
import { type Callback, CallbackState, webhookId } from './callback.ts';
import { isAfter, type ListPosition } from './list-position.ts';

const keptMs = days(3);
/** Of a search for one message: each is some kilobytes, and it is usually in the first. */
const rowsPerPage = 20;
const pagesOfSearch = 50;

/** A callback that its first attempt delivered. */
export type Delivered = { callback: Callback; attempt: Attempt };

/** `position` has the newest time of those delivered together, so that they stand together in a list. */
export type LoggedCallback = {
  messageId: string;
  state: CallbackState;
  attempts: [Attempt];
  position: ListPosition;
};

/** What is packed of each. Not the number: so an erased one is not in the log. */
const Packed = z.array(z.tuple([z.string(), CallbackState, z.int(), z.number(), z.nullable(z.int())]));
const Row = z.object({ sk: z.string(), packed: z.instanceof(Uint8Array), expiresAt: z.number() });

type Bounds = { after?: ListPosition | undefined; limit: number; nowMs: number };

/**
 * Callbacks that were delivered at once, of partners that want them listed, 3 days: one row for those of a queue
 * message, gzipped, so that 40 take one write unit.
 */
export function deliveredLog(table: Table) {
  return {
    add: async (partnerId: string, delivered: readonly Delivered[], nowMs: number): Promise<void> => {
      const ids = delivered.map(({ callback }) => webhookId(callback)).sort();
      const [first = ''] = ids;
      const newest = Math.max(...delivered.map(({ callback }) => callback.changedAt));
      const packed = delivered.map(({ callback: { messageId, state }, attempt }) => [
        messageId,
        state,
        attempt.at,
        attempt.durationMs,
        attempt.httpStatus ?? null,
      ]);
      await putRow(table, {
        pk: deliveredPartition(partnerId, bucketOfSend(delivered[0]?.callback.messageId ?? '')),
        sk: deliveredSort(newest, first),
        packed: await gzip(JSON.stringify(packed)),
        expiresAt: epochSeconds(nowMs + keptMs),
      });
    },

    /** More than `limit` of the partner's after a position, newest first, if there are as many. */
    page: async (partnerId: string, bounds: Bounds): Promise<LoggedCallback[]> => {
      const all = await Promise.all(
        buckets.map((bucket) => pageOf(table, deliveredPartition(partnerId, bucket), bounds)),
      );
      return all.flat();
    },

    /** That of a message's state, which was reached at `changedAt`; `cut` when there is more than was searched. */
    find: async (
      partnerId: string,
      { messageId, state, changedAt }: { messageId: string; state: CallbackState; changedAt: number },
      nowMs: number,
    ): Promise<{ found?: LoggedCallback; cut: boolean }> => {
      const search = {
        KeyConditionExpression: 'pk = :pk AND sk >= :from',
        ExpressionAttributeValues: {
          ':pk': deliveredPartition(partnerId, bucketOfSend(messageId)),
          ':from': deliveredSort(changedAt),
        },
        Limit: rowsPerPage,
      };
      let from: From;
      for (let page = 0; page < pagesOfSearch; page++) {
        const { logged, next } = await query(table, search, { from, nowMs });
        const found = logged.find((one) => one.messageId === messageId && one.state === state);
        if (found) return { found, cut: false };
        if (!next) return { cut: false };
        from = next;
      }
      return { cut: true };
    },
  };
}

export type DeliveredLog = ReturnType<typeof deliveredLog>;

/** The ids of a bulk send differ in the last four digits: so neighbours are in one bucket. */
function bucketOfSend(messageId: string): number {
  return bucketOf(messageId.slice(0, -4));
}

async function pageOf(table: Table, pk: string, { after, limit, nowMs }: Bounds): Promise<LoggedCallback[]> {
  const search = {
    KeyConditionExpression: after ? 'pk = :pk AND sk < :until' : 'pk = :pk',
    ExpressionAttributeValues: {
      ':pk': pk,
      ...(after ? { ':until': deliveredSort(after.changedAt + 1) } : {}),
    },
    ScanIndexForward: false,
    Limit: limit,
  };
  const listed: LoggedCallback[] = [];
  let from: From;
  do {
    const { logged, next } = await query(table, search, { from, nowMs });
    listed.push(...logged.filter(({ position }) => isAfter(position, after)));
    from = next;
  } while (from && listed.length <= limit);
  return listed;
}

type From = Record<string, unknown> | undefined;

async function query(
  table: Table,
  search: Query,
  { from, nowMs }: { from: From; nowMs: number },
): Promise<{ logged: LoggedCallback[]; next: From }> {
  const { Items = [], LastEvaluatedKey } = await queryPage(table, { ...search, ExclusiveStartKey: from });
  const rows = z.array(Row).parse(Items);
  const kept = rows.filter(({ expiresAt }) => expiresAt * 1_000 > nowMs);
  return { logged: kept.flatMap(unpackDelivered), next: LastEvaluatedKey };
}

/** A row is some hundred bytes: not worth another thread. */
export function unpackDelivered(row: unknown): LoggedCallback[] {
  const { sk, packed } = Row.parse(row);
  const time = sk.slice(0, sk.indexOf('#'));
  const entries = Packed.parse(JSON.parse(gunzipSync(packed).toString()));
  return entries.map(([messageId, state, at, durationMs, httpStatus]) => ({
    messageId,
    state,
    attempts: [{ at, durationMs, ...(httpStatus === null ? {} : { httpStatus }) }],
    position: { changedAt: Number(time), id: `${sk.slice(time.length + 1)} ${messageId}-${state}` },
  }));
}
