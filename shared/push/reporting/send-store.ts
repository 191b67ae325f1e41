import * as z from 'zod/mini';
import { readAll, readUnchanging } from '../../platform/table/batches.ts';
import { bulkKey, bulkPartKey, sendsPartition } from '../../platform/table/row-keys/push.ts';
import { type RowKey, timeSortKey } from '../../platform/table/row-keys/row-key.ts';
import { queryPage } from '../../platform/table/rows.ts';
import type { Table } from '../../platform/table/table.ts';
import { mostScheduledAheadMs } from '../hand-over.ts';
import { bulkMessageId, parseMessageId } from '../message-id.ts';
import { BulkSend, PartRow, partsOf } from '../message-rows.ts';
import { stateKeys, statesIn } from '../message-states.ts';
import { unpackRecipients } from '../packed-recipients.ts';
import { isSendKept, messagesKeptMs } from '../retention.ts';
import { type ReportedMessage, withStates } from './send-report.ts';

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

/** Lists and finds bulk sends, and reads them as a whole. */
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

    /** The send that this message is one of; `undefined` for any other id. */
    find: async (messageId: string, nowMs: number): Promise<BulkSend | undefined> => {
      const address = parseMessageId(messageId);
      if (address?.kind !== 'bulk') return undefined;
      const [row] = await readAll(table, [bulkKey(address.bulkId)], { consistent: true });
      const send = z.optional(BulkSend).parse(row);
      if (!send || address.position >= send.count) return undefined;
      return isSendKept(send, nowMs) ? send : undefined;
    },

    /** All messages of a send with the states they have reached, by position. */
    readMessages: async (send: BulkSend): Promise<ReportedMessage[]> => {
      const { bulkId } = send;
      const partKeys = partsOf(send).map((part) => bulkPartKey(bulkId, part));
      const [parts, states] = await Promise.all([
        readAll(table, partKeys, { consistent: true }),
        readAll(table, stateKeys(send), { consistent: true }),
      ]);
      const recipients = parts
        .sort((a, b) => (String(a['sk']) < String(b['sk']) ? -1 : 1))
        .flatMap((part) => unpackRecipients(PartRow.parse(part).recipients));
      const messages = recipients.map((one, n) => ({ ...one, messageId: bulkMessageId(bulkId, n) }));
      const reached = states.flatMap((row) => statesIn(row));
      return withStates(messages, reached);
    },
  };
}
