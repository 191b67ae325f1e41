import * as z from 'zod/mini';
import { readUnchanging } from '../../platform/table/batches.ts';
import { bulkKey, sendsPartition } from '../../platform/table/row-keys/push.ts';
import { type RowKey, timeSortKey } from '../../platform/table/row-keys/row-key.ts';
import { queryPage } from '../../platform/table/rows.ts';
import type { Table } from '../../platform/table/table.ts';
import { mostScheduledAheadMs } from '../hand-over.ts';
import { BulkSend } from '../message-rows.ts';
import { isSendKept, messagesKeptMs } from '../retention.ts';

const ListedRow = z.object({ bulkId: z.string(), acceptedAt: z.number() });

/**
 * The row that lists a send. It is written before the row that commits the send, so that no accepted send is missing. If the
 * send is not accepted, or a later try stores it at another time, the row is not shown.
 */
export function listedSend(
  send: z.infer<typeof ListedRow> & { partnerId: string },
): RowKey & Record<string, unknown> {
  const { partnerId, acceptedAt, bulkId } = send;
  return { pk: sendsPartition(partnerId), sk: timeSortKey(acceptedAt, bulkId), bulkId, acceptedAt };
}

/** `after` is the sort key of a row in the list. */
type Page = { limit: number; after?: string | undefined; nowMs: number };

/** Lists bulk sends. */
export function sendStore(table: Table) {
  return {
    /** A partner's sends of more than one message, newest first. More may follow if there is a `last`. */
    page: async (partnerId: string, { limit, after, nowMs }: Page) => {
      const pk = sendsPartition(partnerId);
      // A send may have waited for its time before its 30 days began.
      const expired = timeSortKey(nowMs - mostScheduledAheadMs - messagesKeptMs + 1);
      // DynamoDB refuses to start outside the range: the row of an old cursor has expired, as has all that follows it.
      if (after !== undefined && after <= expired) return { sends: [], last: undefined };
      const { rows, next } = await queryPage(table, {
        KeyConditionExpression: 'pk = :pk AND sk > :expired',
        ExpressionAttributeValues: { ':pk': pk, ':expired': expired },
        ...(after === undefined ? {} : { ExclusiveStartKey: { pk, sk: after } }),
        ScanIndexForward: false,
        ConsistentRead: true,
        Limit: limit,
      });
      const listed = z.array(ListedRow).parse(rows);
      const bulkIds = new Set(listed.map(({ bulkId }) => bulkId));
      // A cancellation or release may be missing for a moment, at half the price.
      const heads = z.array(BulkSend).parse(await readUnchanging(table, [...bulkIds].map(bulkKey)));
      const sends = new Map(heads.map((send) => [send.bulkId, send]));
      const accepted = listed.flatMap(({ bulkId, acceptedAt }) => {
        const send = sends.get(bulkId);
        return send?.acceptedAt === acceptedAt && isSendKept(send, nowMs) ? [send] : [];
      });
      return { sends: accepted, last: next && String(next['sk']) };
    },
  };
}
