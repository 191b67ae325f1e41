import * as z from 'zod/mini';
import { inGroups } from '../platform/runtime/in-groups.ts';
import { readAll, readUnchanging } from '../platform/table/batches.ts';
import { bulkPartKey } from '../platform/table/row-keys/push.ts';
import { type RowKey, rowId } from '../platform/table/row-keys/row-key.ts';
import type { Table } from '../platform/table/table.ts';
import { handedOverAt } from './hand-over.ts';
import { bulkMessageId, parseMessageId, sendKey } from './message-id.ts';
import {
  type BulkSend,
  idOfSend,
  type Part,
  PartRow,
  parsePart,
  parseSend,
  partSize,
  partsOf,
  type Send,
  type StoredMessage,
  unitsOfPart,
} from './message-rows.ts';
import { type Recipient, recipientAt, unpackRecipients } from './packed-recipients.ts';
import { isKept, isSendKept } from './retention.ts';

/** Reads accepted messages and sends. Whoever stores them too has `messageStore`. */
export function messageReader(table: Table) {
  /** Sends by their ids, read consistently; without those that were not accepted. */
  const findSends = (sendIds: readonly string[]) => readSends(table, sendIds, { consistent: true });

  return {
    findSends,

    /** The send that this message is one of; `undefined` for any other id. */
    sendOfMessage: async (messageId: string, nowMs: number): Promise<Send | undefined> => {
      const address = parseMessageId(messageId);
      const send = address && (await findSends([address.sendId])).get(address.sendId);
      if (!send) return undefined;
      if ('messageId' in send) return isKept(send, nowMs) ? send : undefined;
      return address.position < send.count && isSendKept(send, nowMs) ? send : undefined;
    },

    /** The partner of a send whose row may be damaged, as far as the row says. */
    ownerOf: async (sendId: string): Promise<string | undefined> => {
      const [row] = await readAll(table, [sendKey(sendId)]);
      return z.object({ partnerId: z.string() }).safeParse(row).data?.partnerId;
    },

    /** The messages with these ids, by id; unknown ids are left out. */
    findMany: async (messageIds: readonly string[], nowMs: number): Promise<Map<string, StoredMessage>> =>
      (await findFirst(table, messageIds, { nowMs })).found,

    /** The first of these messages, until the parts of their sends have taken `mostUnits`. */
    findFirst: (messageIds: readonly string[], options: { nowMs: number; mostUnits: number }) =>
      findFirst(table, messageIds, options),

    /** The recipients of a bulk send, by position. Erased ones are among them. */
    readRecipients: async (send: BulkSend): Promise<(Recipient & { messageId: string })[]> => {
      const keys = partsOf(send).map((part) => bulkPartKey(send.bulkId, part));
      const rows = await readAll(table, keys, { consistent: true });
      const parts = new Map(rows.map((row) => [row['sk'], PartRow.parse(row).recipients]));
      const recipients = keys.flatMap(({ sk }) => unpackRecipients(parts.get(sk) ?? new Uint8Array()));
      return recipients.map((one, n) => ({ ...one, messageId: bulkMessageId(send.bulkId, n) }));
    },

    /** The messages of a send, part by part. */
    readMessages: async function* (send: Send): AsyncGenerator<StoredMessage[]> {
      if ('messageId' in send) yield [send];
      else for (const part of partsOf(send)) yield await readPart(table, send, part);
    },

    /** The messages in a part of a bulk send. */
    readPart: (send: BulkSend, part: number) => readPart(table, send, part),
  };
}

export type MessageReader = ReturnType<typeof messageReader>;

async function readPart(table: Table, send: BulkSend, number: number): Promise<StoredMessage[]> {
  const [row] = await readAll(table, [bulkPartKey(send.bulkId, number)], { consistent: true });
  const part = await parsePart(row);
  const size = partSize(send);
  const messages = Array.from({ length: size }, (_, n) => messageAt(send, part, number * size + n));
  return messages.filter((message) => message !== undefined);
}

/** The message at a position of its send, from the part that has it; `undefined` if its recipient was erased. */
function messageAt(send: BulkSend, part: Part, position: number): StoredMessage | undefined {
  const n = position % partSize(send);
  const recipient = recipientAt(part.recipients, n);
  const content = send.content ?? part.contents[n];
  if (!recipient || !content) return undefined;
  const { partnerId, acceptedAt, requestId, deliverFrom, releasedAt, cancelledAt } = send;
  const owner = { partnerId, acceptedAt, requestId, deliverFrom, releasedAt, cancelledAt };
  return { messageId: bulkMessageId(send.bulkId, position), ...recipient, ...owner, content };
}

/** A part of a send, and the positions of the wanted messages in it. */
type WantedPart = { key: RowKey; send: BulkSend; positions: number[] };

/**
 * The messages by id, and the ids that were looked up. A row of a message or of a send takes one read unit at most;
 * `units` is what all rows take at most.
 */
async function findFirst(
  table: Table,
  messageIds: readonly string[],
  { nowMs, mostUnits = Number.POSITIVE_INFINITY }: { nowMs: number; mostUnits?: number },
) {
  const addresses = new Map(messageIds.map((id) => [id, parseMessageId(id)]));
  const sendIds = [...addresses.values()].flatMap((address) => address?.sendId ?? []);
  const sends = await readNewest(table, sendIds);
  const found = new Map<string, StoredMessage>();
  const add = (message: StoredMessage | undefined) => {
    if (message && isKept(message, nowMs)) found.set(message.messageId, message);
  };
  const parts = new Map<string, WantedPart>();
  const lookedUp = new Set<string>();
  let units = 0;
  for (const [id, address] of addresses) {
    const send = address && sends.get(address.sendId);
    if (send && 'messageId' in send) add(send);
    else if (send && address.position < send.count) {
      const key = bulkPartKey(send.bulkId, Math.floor(address.position / partSize(send)));
      const part = parts.get(rowId(key)) ?? { key, send, positions: [] };
      if (part.positions.length === 0) units += unitsOfPart(send);
      if (units > mostUnits) break;
      part.positions.push(address.position);
      parts.set(rowId(key), part);
    }
    lookedUp.add(id);
  }
  for await (const { id, part } of readParts(table, [...parts.values()])) {
    const { send, positions } = parts.get(id) as WantedPart;
    for (const position of positions) add(messageAt(send, part, position));
  }
  return { found, lookedUp, units: sends.size + units };
}

/** How many parts are read at once. The 80 contents of one may take 7 MB when they are parsed, so that is done one by one. */
const partsAtOnce = 20;

/** Parts that time to live has deleted before their sends are left out. */
async function* readParts(table: Table, parts: readonly WantedPart[]) {
  for (const some of inGroups(parts, partsAtOnce)) {
    const keys = some.map(({ key }) => key);
    for (const row of await readUnchanging(table, keys))
      yield { id: rowId(row as RowKey), part: await parsePart(row) };
  }
}

/** A scheduled send may have been released a moment ago: then it is read again, consistently. */
async function readNewest(table: Table, sendIds: readonly string[]): Promise<ReadonlyMap<string, Send>> {
  const sends = await readSends(table, sendIds);
  const waiting = [...sends].filter(([, send]) => handedOverAt(send) === undefined).map(([id]) => id);
  return new Map([...sends, ...(await readSends(table, waiting, { consistent: true }))]);
}

async function readSends(table: Table, sendIds: readonly string[], { consistent = false } = {}) {
  const keys = [...new Set(sendIds)].map(sendKey);
  const rows = await (consistent ? readAll(table, keys, { consistent }) : readUnchanging(table, keys));
  return new Map(rows.map(parseSend).map((send) => [idOfSend(send), send]));
}
