import { gunzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import { days, epochSeconds } from '../platform/runtime/clock.ts';
import { gzip } from '../platform/runtime/gzip.ts';
import { bucketOf, buckets, deliveredPartition, deliveredSort } from '../platform/table/keys.ts';
import { putRow, type Query, queryPage } from '../platform/table/rows.ts';
import type { Table } from '../platform/table/table.ts';
import type { Attempt } from './attempt.ts';
import { type Callback, CallbackState, webhookId } from './callback.ts';

const keptMs = days(3);
/** A row is a kilobyte or so: these cost half a read unit for each bucket. */
const rowsOfBucket = 3;
/** Of the search for one callback, which is usually in the first page. A page costs 4 read units at most. */
const rowsPerPage = 20;
const pagesOfSearch = 4;
/** In the list, the log's buckets come after the streams of the index. */
const firstStream = 100;

/** The place of a callback in the list: by time, then by stream, then in the order of reading. */
export type ListPosition = { changedAt: number; stream: number; id: string };

/** A callback that its first attempt delivered. */
export type Delivered = { callback: Callback; attempt: Attempt };

/** `position` has the newest time of those delivered together, so that they stand together in a list. */
export type LoggedCallback = {
  messageId: string;
  state: CallbackState;
  attempts: Attempt[];
  expiresAt: number;
  position: ListPosition;
};

/** What is packed of each. Not the number: so an erased one is not in the log. */
const Packed = z.array(z.tuple([z.string(), CallbackState, z.int(), z.number(), z.nullable(z.int())]));
const Row = z.object({ sk: z.string(), packed: z.instanceof(Uint8Array), expiresAt: z.number() });

/** Callbacks delivered at once, kept 3 days if the partner wants them listed: a gzipped row for a queue message. */
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

    /** For each bucket, what comes next after a position, newest first. What has expired may be among it. */
    search: (partnerId: string, after: ListPosition | undefined) =>
      buckets.map(async (bucket) => {
        const stream = firstStream + bucket;
        const isWithin = after?.stream === stream;
        const until = after && deliveredSort(...untilOf(after, stream));
        const { logged, next } = await query(table, {
          KeyConditionExpression: until ? `pk = :pk AND sk ${isWithin ? '<=' : '<'} :until` : 'pk = :pk',
          ExpressionAttributeValues: { ':pk': deliveredPartition(partnerId, bucket), ':until': until },
          ScanIndexForward: false,
          Limit: rowsOfBucket,
        });
        const shown = isWithin ? logged.findIndex(({ position }) => position.id === after.id) + 1 : 0;
        const found = logged
          .slice(shown)
          .map((entry) => ({ entry, position: { ...entry.position, stream } }));
        return { found, hasMore: next !== undefined };
      }),

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
      let from: Query['ExclusiveStartKey'];
      for (let page = 0; page < pagesOfSearch; page++) {
        const { logged, next } = await query(table, { ...search, ExclusiveStartKey: from });
        const found = logged.find((one) => one.messageId === messageId && one.state === state);
        if (found && found.expiresAt * 1_000 > nowMs) return { found, cut: false };
        if (found || !next) return { cut: false };
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

/** The row in which the page before ended, or the first time that no page has shown of this stream. */
function untilOf({ changedAt, stream, id }: ListPosition, own: number): [number, string?] {
  if (stream === own) return [changedAt, id.slice(0, id.indexOf(' '))];
  return [stream > own ? changedAt : changedAt + 1];
}

async function query(table: Table, search: Query) {
  const { Items = [], LastEvaluatedKey } = await queryPage(table, search);
  return { logged: Items.flatMap(unpackDelivered), next: LastEvaluatedKey };
}

/** A row is some hundred bytes: not worth another thread. The last ids come first, as in the order of rows. */
export function unpackDelivered(row: unknown): LoggedCallback[] {
  const { sk, packed, expiresAt } = Row.parse(row);
  const time = sk.slice(0, sk.indexOf('#'));
  const entries = Packed.parse(JSON.parse(gunzipSync(packed).toString()));
  const logged = entries.map(([messageId, state, at, durationMs, httpStatus]) => ({
    messageId,
    state,
    attempts: [{ at, durationMs, ...(httpStatus === null ? {} : { httpStatus }) }],
    expiresAt,
    position: {
      changedAt: Number(time),
      stream: firstStream,
      id: `${sk.slice(time.length + 1)} ${messageId}-${state}`,
    },
  }));
  return logged.sort((a, b) => (a.position.id < b.position.id ? 1 : -1));
}
