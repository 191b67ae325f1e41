import * as z from 'zod/mini';
import { deliveredPartition } from '../../platform/table/row-keys/callbacks.ts';
import { buckets, timeSortKey } from '../../platform/table/row-keys/row-key.ts';
import { isRowKept, type Query, queryPage } from '../../platform/table/rows.ts';
import type { Table } from '../../platform/table/table.ts';
import type { CallbackState } from '../callback.ts';
import { bucketOfSend } from '../feed/delivered-log.ts';
import { readDelivered } from '../feed/delivered-row.ts';

/** Rows take about 1 kB, so reading this many costs half a read unit per bucket. */
const rowsOfBucket = 3;
/** The search for one callback reads at most this many pages of this size. A page costs at most 4 read units. */
const rowsPerPage = 20;
const pagesOfSearch = 4;
/** The list numbers its sources (`stream` in a position): those of the index come first, and the log's buckets start at this number. */
const firstSource = 100;

/** The place of a callback in the list: by time, then by source, then in the order of reading. */
export const ListPosition = z.object({
  changedAt: z.int().check(z.nonnegative()),
  stream: z.int().check(z.nonnegative()),
  id: z.string().check(z.regex(/^[\w# -]{1,200}$/)),
});
export type ListPosition = z.infer<typeof ListPosition>;

export type LoggedCallback = ReturnType<typeof unpackDelivered>[number];

/** The log of delivered callbacks, as the list reads it. */
export function loggedCallbacks(table: Table) {
  return {
    /** Reads the next callbacks after a position from each bucket, newest first. Expired ones may be among them. */
    search: (partnerId: string, after: ListPosition | undefined) =>
      buckets.map(async (bucket) => {
        const stream = firstSource + bucket;
        const isWithin = after?.stream === stream;
        const until = after && timeSortKey(...untilOf(after, stream));
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

    /** Finds the callback about a state reached at `changedAt`; `cut` when the search stopped before the end. */
    find: async (
      partnerId: string,
      { messageId, state, changedAt }: { messageId: string; state: CallbackState; changedAt: number },
      nowMs: number,
    ): Promise<{ found?: LoggedCallback; cut: boolean }> => {
      const search = {
        KeyConditionExpression: 'pk = :pk AND sk >= :from',
        ExpressionAttributeValues: {
          ':pk': deliveredPartition(partnerId, bucketOfSend(messageId)),
          ':from': timeSortKey(changedAt),
        },
        Limit: rowsPerPage,
      };
      let from: Query['ExclusiveStartKey'];
      for (let page = 0; page < pagesOfSearch; page++) {
        const { logged, next } = await query(table, { ...search, ExclusiveStartKey: from });
        const found = logged.find((one) => one.messageId === messageId && one.state === state);
        if (found && isRowKept(found, nowMs)) return { found, cut: false };
        if (found || !next) return { cut: false };
        from = next;
      }
      return { cut: true };
    },
  };
}

/** The upper bound of the next page: the row where the last page ended, or the time that it reached. */
function untilOf({ changedAt, stream, id }: ListPosition, own: number): [number, string?] {
  if (stream === own) return [changedAt, id.slice(0, id.indexOf(' '))];
  return [stream > own ? changedAt : changedAt + 1];
}

async function query(table: Table, search: Query) {
  const { rows, next } = await queryPage(table, search);
  return { logged: rows.flatMap(unpackDelivered), next };
}

/** Returns them as the list shows them: ids in descending order, as the rows are. */
function unpackDelivered(row: unknown) {
  const { id, writtenAt, expiresAt, callbacks } = readDelivered(row);
  const logged = callbacks.map(({ messageId, state, attempts }) => ({
    messageId,
    state,
    attempts,
    expiresAt,
    position: { changedAt: writtenAt, stream: firstSource, id: `${id} ${messageId}-${state}` },
  }));
  return logged.sort((a, b) => (a.position.id < b.position.id ? 1 : -1));
}
