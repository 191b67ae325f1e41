import { epochSeconds } from '../platform/runtime/clock.ts';
import { gzip } from '../platform/runtime/gzip.ts';
import { inParallel } from '../platform/runtime/in-parallel.ts';
import { readAll, readUnchanging } from '../platform/table/batches.ts';
import { bulkKey, bulkPartKey, messageKey } from '../platform/table/row-keys/push.ts';
import type { RowKey } from '../platform/table/row-keys/row-key.ts';
import { createRow, putRow } from '../platform/table/rows.ts';
import { marked, streamMarkers } from '../platform/table/stream-markers.ts';
import type { Table } from '../platform/table/table.ts';
import { firstDeadline } from './deadlines/deadline.ts';
import { saveDeadline } from './deadlines/deadline-store.ts';
import { bulkMessageId, isSingle, type MessageAddress, parseMessageId } from './message-id.ts';
import {
  BulkSend,
  multiPerPart,
  type Part,
  PartRow,
  parsePart,
  parseSend,
  partSize,
  type Send,
  SingleSend,
  type StoredMessage,
  unitsOfPart,
} from './message-rows.ts';
import {
  packRecipients,
  type Recipient,
  recipientAt,
  recipientsPerPart,
  unpackRecipients,
} from './packed-recipients.ts';
import { listedSend } from './reporting/send-store.ts';
import { isKept, rowsKeptMs } from './retention.ts';
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
    /** Stores a message unless an earlier try has stored it, and returns what is stored. */
    saveSingle: async (message: StoredMessage): Promise<StoredMessage> => {
      const { messageId, partnerId, registered, acceptedAt, content } = message;
      const dueAt = firstDeadline([message], [content]);
      if (dueAt !== undefined) await saveDeadline(table, { sendId: messageId, dueAt, acceptedAt, partnerId });
      const existing = await createRow(table, {
        ...messageKey(messageId),
        ...message,
        ...(registered ? toDispatch : {}),
        expiresAt: epochSeconds(acceptedAt + rowsKeptMs),
        content: JSON.stringify(content),
      });
      return existing ? SingleSend.parse(existing) : message;
    },

    /** Stores a bulk send unless an earlier try has, and returns whether each recipient is stored as registered. */
    saveBulk: async ({ bulkId, recipients, contents, each, ...owner }: NewBulk): Promise<boolean[]> => {
      const expiresAt = epochSeconds(owner.acceptedAt + rowsKeptMs);
      const size = each ? multiPerPart : recipientsPerPart;
      const dueAt = firstDeadline(recipients, contents);
      if (dueAt !== undefined) await saveDeadline(table, { ...owner, sendId: bulkId, dueAt });
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
      await createRow(table, {
        ...bulkKey(bulkId),
        ...owner,
        ...toDispatch,
        bulkId,
        count: recipients.length,
        expiresAt,
        ...(each
          ? { summary: JSON.stringify(agreedSummary(contents)) }
          : { content: JSON.stringify(contents[0]) }),
      });
      return registrations;
    },

    /** The messages with these ids, by id; unknown ids are left out. */
    findMany: async (messageIds: readonly string[], nowMs: number): Promise<Map<string, StoredMessage>> =>
      (await findFirst(table, messageIds, { nowMs })).found,

    /** The first of these messages, until the parts of their sends have taken `mostUnits`. */
    findFirst: (messageIds: readonly string[], options: { nowMs: number; mostUnits: number }) =>
      findFirst(table, messageIds, options),

    /** Whether each recipient of a send was registered, by position; `undefined` when the send was not accepted. */
    readRegistrations: async (bulkId: string): Promise<boolean[] | undefined> => {
      const [row] = await readAll(table, [bulkKey(bulkId)], { consistent: true });
      if (!row) return undefined;
      const registrations: boolean[] = [];
      for await (const messages of messagesIn(table, BulkSend.parse(row)))
        registrations.push(...messages.map(({ registered }) => registered));
      return registrations;
    },

    /** Reads sends, and leaves out those that were not accepted. */
    findSends: async (sendIds: readonly string[]): Promise<Send[]> => {
      const keys = sendIds.map((id) => (isSingle(id) ? messageKey(id) : bulkKey(id)));
      return (await readAll(table, keys, { consistent: true })).map(parseSend);
    },

    /** The messages of sends: the single ones together, and those of each bulk send part by part. */
    readMessages: async function* (sends: readonly Send[]): AsyncGenerator<StoredMessage[]> {
      yield sends.filter((send) => 'messageId' in send);
      for (const send of sends) if ('bulkId' in send) yield* messagesIn(table, send);
    },
  };
}

export type MessageStore = ReturnType<typeof messageStore>;

/**
 * The messages by id, and how many of the ids were looked up. A row of a message or of a send takes one read unit at most;
 * `units` is what all rows take at most.
 */
async function findFirst(
  table: Table,
  messageIds: readonly string[],
  { nowMs, mostUnits = Number.POSITIVE_INFINITY }: { nowMs: number; mostUnits?: number },
) {
  const ids = [...new Set(messageIds)];
  const addresses = ids.map(parseMessageId);
  const heads = await readRows(
    table,
    addresses.flatMap((address) => (address ? headKey(address) : [])),
    parseSend,
  );
  const partKeys = new Map<string, RowKey>();
  let units = 0;
  const cutAt = addresses.findIndex((address) => {
    const key = address && findPartKey(address, heads);
    if (!key || partKeys.has(rowId(key))) return false;
    units += unitsOfPart(heads.get(rowId(headKey(address))) as BulkSend);
    if (units > mostUnits) return true;
    partKeys.set(rowId(key), key);
    return false;
  });
  const lookedUp = new Set(cutAt < 0 ? ids : ids.slice(0, cutAt));
  const parts = await readRows(table, [...partKeys.values()], parsePart);
  const found = addresses
    .slice(0, lookedUp.size)
    .flatMap((address) => (address && locate(address, heads, parts)) ?? [])
    .filter((message) => isKept(message, nowMs));
  const byId = new Map(found.map((message) => [message.messageId, message]));
  return { found: byId, lookedUp, units: heads.size + units };
}

/** The messages of a bulk send, part by part. An erased recipient is not registered. */
async function* messagesIn(table: Table, send: BulkSend): AsyncGenerator<StoredMessage[]> {
  const size = partSize(send);
  for (let from = 0; from < send.count; from += size) {
    const [row] = await readAll(table, [bulkPartKey(send.bulkId, from / size)], { consistent: true });
    const part = await parsePart(row);
    yield unpackRecipients(part.recipients).flatMap((recipient, n) => {
      const content = send.content ?? part.contents[n];
      const messageId = bulkMessageId(send.bulkId, from + n);
      return content ? [{ ...send, ...recipient, content, messageId }] : [];
    });
  }
}

function registrationsIn(part: unknown): boolean[] {
  return unpackRecipients(PartRow.parse(part).recipients).map(({ registered }) => registered);
}

function rowId(key: RowKey): string {
  return `${key.pk} ${key.sk}`;
}

type Rows<Row> = ReadonlyMap<string, Row>;

function headKey(address: MessageAddress): RowKey {
  return address.kind === 'single' ? messageKey(address.messageId) : bulkKey(address.bulkId);
}

/** Each row is read once, and parsed once for all messages that are in it. */
async function readRows<Row>(
  table: Table,
  keys: readonly RowKey[],
  parse: (row: Record<string, unknown>) => Promise<Row> | Row,
): Promise<Rows<Row>> {
  const distinct = new Map(keys.map((key) => [rowId(key), key]));
  const rows = await readUnchanging(table, [...distinct.values()]);
  return new Map(
    await Promise.all(rows.map(async (row) => [rowId(row as RowKey), await parse(row)] as const)),
  );
}

/** The row with the recipient; `undefined` for a single message, and for one that is not in its send. */
function findPartKey(address: MessageAddress, heads: Rows<Send>): RowKey | undefined {
  const head = heads.get(rowId(headKey(address)));
  if (address.kind === 'single' || !head || !('count' in head)) return undefined;
  if (address.position >= head.count) return undefined;
  return bulkPartKey(address.bulkId, Math.floor(address.position / partSize(head)));
}

function locate(address: MessageAddress, heads: Rows<Send>, parts: Rows<Part>): StoredMessage | undefined {
  const head = heads.get(rowId(headKey(address)));
  if (!head || 'msisdn' in head) return head;
  if (address.kind === 'single') return undefined;
  const partKey = findPartKey(address, heads);
  const part = partKey && parts.get(rowId(partKey));
  // Time to live may have deleted the part before the send itself.
  if (!part) return undefined;
  const position = address.position % partSize(head);
  const recipient = recipientAt(part.recipients, position);
  const content = head.content ?? part.contents[position];
  if (!recipient || !content) return undefined;
  const { partnerId, acceptedAt, requestId } = head;
  const messageId = bulkMessageId(address.bulkId, address.position);
  return { messageId, ...recipient, partnerId, acceptedAt, requestId, content };
}
