import type * as z from 'zod/mini';
import { epochSeconds } from '../platform/runtime/clock.ts';
import { gzip } from '../platform/runtime/gzip.ts';
import { inParallel } from '../platform/runtime/in-parallel.ts';
import { bulkKey, bulkPartKey, type Key, messageKey } from '../platform/table/keys.ts';
import { readAll, readUnchanging } from '../platform/table/read-all.ts';
import { putRow } from '../platform/table/rows.ts';
import { marked, streamMarkers } from '../platform/table/stream-markers.ts';
import type { Table } from '../platform/table/table.ts';
import { firstDeadline } from './deadlines/deadline.ts';
import { saveDeadline } from './deadlines/deadline-store.ts';
import { addressOf, isSingle, type MessageAddress } from './message-id.ts';
import {
  BulkRow,
  BulkSend,
  multiPerPart,
  PartRow,
  SingleRow,
  SingleSend,
  sizeOf,
  unpackContents,
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

/** A message as it was accepted. */
export type StoredMessage = Recipient & {
  messageId: string;
  partnerId: string;
  content: PushContent;
  acceptedAt: number;
  /** The request that sent it. */
  requestId?: string | undefined;
};

export type NewBulk = {
  bulkId: string;
  partnerId: string;
  requestId: string;
  acceptedAt: number;
  recipients: Recipient[];
  /** One for all recipients, or (`each`) one for each. */
  contents: PushContent[];
  each: boolean;
};

const toDispatch = { [streamMarkers.dispatch]: marked };

/**
 * Accepted messages, kept 30 days. A bulk send writes its recipients packed, about a thousand in a row, and last
 * the row PAYLOAD. The stream acts on that row only: a send whose table calls failed half way is sent to nobody.
 */
export function messageStore(table: Table) {
  return {
    saveSingle: async ({
      messageId,
      content,
      registered,
      acceptedAt,
      ...message
    }: StoredMessage): Promise<void> => {
      const dueAt = firstDeadline([{ registered }], [content]);
      if (dueAt !== undefined)
        await saveDeadline(table, { sendId: messageId, dueAt, acceptedAt, partnerId: message.partnerId });
      await putRow(table, {
        ...messageKey(messageId),
        ...message,
        ...(registered ? toDispatch : {}),
        messageId,
        registered,
        acceptedAt,
        expiresAt: epochSeconds(acceptedAt + rowsKeptMs),
        content: JSON.stringify(content),
      });
    },

    saveBulk: async ({ bulkId, recipients, contents, each, ...owner }: NewBulk): Promise<void> => {
      const expiresAt = epochSeconds(owner.acceptedAt + rowsKeptMs);
      const size = each ? multiPerPart : recipientsPerPart;
      const dueAt = firstDeadline(recipients, contents);
      if (dueAt !== undefined) await saveDeadline(table, { ...owner, sendId: bulkId, dueAt });
      const parts = Array.from({ length: Math.ceil(recipients.length / size) }, (_, part) => part);
      const savePart = async (part: number) => {
        const from = part * size;
        const to = (part + 1) * size;
        await putRow(table, {
          ...bulkPartKey(bulkId, part),
          recipients: packRecipients(recipients.slice(from, to)),
          ...(each ? { contents: await gzip(JSON.stringify(contents.slice(from, to))) } : {}),
          expiresAt,
        });
      };
      const isListed = recipients.length > 1;
      await Promise.all([
        isListed ? putRow(table, { ...listedSend({ bulkId, ...owner }), expiresAt }) : undefined,
        inParallel(4, parts, savePart),
      ]);
      await putRow(table, {
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
    },

    /** The messages with these ids, by id; unknown ids are left out. */
    findMany: async (messageIds: readonly string[], nowMs: number): Promise<Map<string, StoredMessage>> => {
      const addresses = new Map([...new Set(messageIds)].map((id) => [id, addressOf(id)]));
      const heads = await readHeads(table, [...addresses.values()]);
      const parts = await readParts(table, [...addresses.values()], heads);
      const found = new Map<string, StoredMessage>();
      for (const [messageId, address] of addresses) {
        const message = address && locate(address, heads, parts);
        if (message && isKept(message, nowMs)) found.set(messageId, { ...message, messageId });
      }
      return found;
    },

    /** Whether each recipient of a send was registered, by position; `undefined` when the send was not accepted. */
    registrationsOf: async (bulkId: string): Promise<boolean[] | undefined> => {
      const [row] = await readAll(table, [bulkKey(bulkId)], { consistent: true });
      if (!row) return undefined;
      const registrations: boolean[] = [];
      for await (const { recipients } of partsOf(table, BulkSend.parse(row)))
        registrations.push(...recipients.map(({ registered }) => registered));
      return registrations;
    },

    /** Those of the sends that were accepted. */
    sendsOf: async (sendIds: readonly string[]): Promise<(SingleSend | BulkSend)[]> => {
      const keys = sendIds.map((id) => (isSingle(id) ? messageKey(id) : bulkKey(id)));
      const rows = await readAll(table, keys, { consistent: true });
      return rows.map((row) => ('count' in row ? BulkSend.parse(row) : SingleSend.parse(row)));
    },

    /** The contents and recipients of an accepted send, part by part. */
    partsOf: (send: BulkSend): AsyncGenerator<SentPart> => partsOf(table, send),
  };
}

export type MessageStore = ReturnType<typeof messageStore>;

/** `from` is the position of its first recipient. */
type SentPart = { recipients: Recipient[]; contents: PushContent[]; from: number };

async function* partsOf(table: Table, send: BulkSend): AsyncGenerator<SentPart> {
  const size = sizeOf(send);
  for (let from = 0; from < send.count; from += size) {
    const [row] = await readAll(table, [bulkPartKey(send.bulkId, from / size)], { consistent: true });
    const part = PartRow.parse(row);
    const contents = send.content ? [send.content] : await unpackContents(part);
    yield { recipients: unpackRecipients(part.recipients), contents, from };
  }
}

function rowId(key: Key): string {
  return `${key.pk} ${key.sk}`;
}

type Head = z.infer<typeof SingleRow> | z.infer<typeof BulkRow>;
type Part = { recipients: Uint8Array; contents: PushContent[] };
type Rows<Row> = ReadonlyMap<string, Row>;
type Addresses = readonly (MessageAddress | undefined)[];

function headKey(address: MessageAddress): Key {
  return address.kind === 'single' ? messageKey(address.messageId) : bulkKey(address.bulkId);
}

/** Each row is read once, and parsed once for all messages that are in it. */
async function readRows<Row>(
  table: Table,
  keys: readonly Key[],
  parse: (row: Record<string, unknown>) => Promise<Row> | Row,
): Promise<Rows<Row>> {
  const distinct = new Map(keys.map((key) => [rowId(key), key]));
  const rows = await readUnchanging(table, [...distinct.values()]);
  return new Map(await Promise.all(rows.map(async (row) => [rowId(row as Key), await parse(row)] as const)));
}

function readHeads(table: Table, addresses: Addresses): Promise<Rows<Head>> {
  const keys = addresses.filter((address) => address !== undefined).map(headKey);
  return readRows(table, keys, (row) => ('count' in row ? BulkRow.parse(row) : SingleRow.parse(row)));
}

function sendOf({ bulkId }: { bulkId: string }, heads: Rows<Head>): z.infer<typeof BulkRow> | undefined {
  const head = heads.get(rowId(bulkKey(bulkId)));
  return head && 'count' in head ? head : undefined;
}

function partKeyOf(address: MessageAddress, heads: Rows<Head>): Key | undefined {
  if (address.kind === 'single') return undefined;
  const head = sendOf(address, heads);
  if (!head || address.position >= head.count) return undefined;
  return bulkPartKey(address.bulkId, Math.floor(address.position / sizeOf(head)));
}

function readParts(table: Table, addresses: Addresses, heads: Rows<Head>): Promise<Rows<Part>> {
  const keys = addresses.map((address) => address && partKeyOf(address, heads));
  return readRows(
    table,
    keys.filter((key) => key !== undefined),
    async (row) => {
      const part = PartRow.parse(row);
      return { recipients: part.recipients, contents: await unpackContents(part) };
    },
  );
}

function locate(
  address: MessageAddress,
  heads: Rows<Head>,
  parts: Rows<Part>,
): Omit<StoredMessage, 'messageId'> | undefined {
  if (address.kind === 'single') {
    const head = heads.get(rowId(headKey(address)));
    return head && 'msisdn' in head ? head : undefined;
  }
  const send = sendOf(address, heads);
  const partKey = partKeyOf(address, heads);
  const part = partKey && parts.get(rowId(partKey));
  // Time to live may have deleted the part before the send itself.
  if (!send || !part) return undefined;
  const position = address.position % sizeOf(send);
  const recipient = recipientAt(part.recipients, position);
  const content = send.content ?? part.contents[position];
  if (!recipient || !content) return undefined;
  const { partnerId, acceptedAt, requestId } = send;
  return { ...recipient, partnerId, acceptedAt, requestId, content };
}
