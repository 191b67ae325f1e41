import { eventWrite } from '../events/event-store.ts';
import { gzip } from '../platform/runtime/gzip.ts';
import { inParallel } from '../platform/runtime/in-parallel.ts';
import { bulkKey, bulkPartKey, messageKey } from '../platform/table/row-keys/push.ts';
import type { RowKey } from '../platform/table/row-keys/row-key.ts';
import { createRow, putRow } from '../platform/table/rows.ts';
import { marked, streamMarkers } from '../platform/table/stream-markers.ts';
import type { Table } from '../platform/table/table.ts';
import { putNew, transactional } from '../platform/table/transactional.ts';
import { saveTimes } from './deadlines/deadline-store.ts';
import { bulkMessageId } from './message-id.ts';
import { messageReader } from './message-reader.ts';
import { multiPerPart, PartRow, SingleSend, type StoredMessage } from './message-rows.ts';
import { packRecipients, type Recipient, recipientsPerPart, unpackRecipients } from './packed-recipients.ts';
import { listedSend } from './reporting/send-store.ts';
import { rowsExpireAt } from './retention.ts';
import { agreedSummary } from './sending/content-summary.ts';
import type { PushContent } from './sending/push-content.ts';

type NewBulk = {
  bulkId: string;
  partnerId: string;
  requestId: string;
  acceptedAt: number;
  recipients: Recipient[];
  /** One content for all recipients, or (`each`) one for each. */
  contents: PushContent[];
  each: boolean;
};

const toDispatch = { [streamMarkers.dispatch]: marked };

/**
 * Accepted messages, kept 30 days. A bulk send writes its recipients packed, about a thousand in a row, and last
 * the row PAYLOAD. The stream acts on that row only: a send whose table calls failed half way is sent to nobody.
 *
 * A later write replaces neither that row nor a part. A write that a request has given up may still arrive while an
 * equal request continues it: whichever comes first counts, and both requests respond with what is stored.
 */
export function messageStore(table: Table) {
  return {
    ...messageReader(table),

    /** Stores a message unless an earlier try has stored it, and returns what is stored. */
    saveSingle: async (message: StoredMessage, by?: string): Promise<StoredMessage> => {
      const { messageId, registered, content } = message;
      const times = await saveTimes(table, { sendId: messageId, ...message }, [message], [content]);
      const row = {
        ...messageKey(messageId),
        ...message,
        ...times,
        ...(registered && times.deliverFrom === undefined ? toDispatch : {}),
        expiresAt: rowsExpireAt({ ...message, ...times }),
        content: JSON.stringify(content),
      };
      const existing = await createSend(table, row, { ...message, ...times, by });
      return existing ? SingleSend.parse(existing) : message;
    },

    /** Stores a bulk send unless an earlier try has, and returns whether each recipient is stored as registered. */
    saveBulk: async (
      { bulkId, recipients, contents, each, ...owner }: NewBulk,
      by?: string,
    ): Promise<boolean[]> => {
      const size = each ? multiPerPart : recipientsPerPart;
      const times = await saveTimes(table, { ...owner, sendId: bulkId }, recipients, contents);
      const expiresAt = rowsExpireAt({ ...owner, ...times });
      const parts = Array.from({ length: Math.ceil(recipients.length / size) }, (_, part) => part);
      const registrations = recipients.map(({ registered }) => registered);
      const savePart = async (part: number) => {
        const from = part * size;
        const to = (part + 1) * size;
        const existing = await createRow(table, {
          ...bulkPartKey(bulkId, part),
          recipients: packRecipients(recipients.slice(from, to)),
          ...(each ? { contents: await gzip(JSON.stringify(contents.slice(from, to))) } : {}),
          expiresAt,
        });
        if (existing) registrations.splice(from, size, ...registrationsIn(existing));
      };
      const isListed = recipients.length > 1;
      await Promise.all([
        isListed ? putRow(table, { ...listedSend({ bulkId, ...owner }), expiresAt }) : undefined,
        inParallel(4, parts, savePart),
      ]);
      const row = {
        ...bulkKey(bulkId),
        ...owner,
        ...times,
        ...(times.deliverFrom === undefined ? toDispatch : {}),
        bulkId,
        count: recipients.length,
        registeredCount: registrations.filter(Boolean).length,
        expiresAt,
        ...(each
          ? { summary: JSON.stringify(agreedSummary(contents)) }
          : { content: JSON.stringify(contents[0]) }),
      };
      await createSend(table, row, { ...owner, ...times, messageId: bulkMessageId(bulkId, 0), by });
      return registrations;
    },
  };
}

export type MessageStore = ReturnType<typeof messageStore>;

type NewSend = Pick<StoredMessage, 'partnerId' | 'messageId' | 'acceptedAt'> & {
  deliverFrom?: number | undefined;
  by?: string | undefined;
};

/** Writes the row of a send that does not exist, and returns the one that does; a send for later has an event. */
async function createSend(
  table: Table,
  row: Record<string, unknown> & RowKey,
  { partnerId, messageId, acceptedAt, deliverFrom, by }: NewSend,
) {
  if (deliverFrom === undefined) return createRow(table, row);
  const data = { messageId, deliverFrom: new Date(deliverFrom).toISOString() };
  const written = await transactional(table, [
    putNew(table, row),
    eventWrite(table, partnerId, { kind: 'send.scheduled', atMs: acceptedAt, by, data }),
  ]);
  return written.applied ? undefined : (written.existing ?? row);
}

function registrationsIn(part: unknown): boolean[] {
  return unpackRecipients(PartRow.parse(part).recipients).map(({ registered }) => registered);
}
