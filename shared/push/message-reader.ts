import { inGroups } from '../platform/runtime/in-groups.ts';
import { readAll, readUnchanging } from '../platform/table/batches.ts';
import { bulkKey, bulkPartKey, messageKey } from '../platform/table/row-keys/push.ts';
import { distinctKeys, type RowKey, rowId } from '../platform/table/row-keys/row-key.ts';
import type { Table } from '../platform/table/table.ts';
import { handedOverAt } from './hand-over.ts';
import { bulkMessageId, isSingle, type MessageAddress, parseMessageId } from './message-id.ts';
import {
  BulkSend,
  type Part,
  parsePart,
  parseSend,
  partSize,
  partsOf,
  type Send,
  type StoredMessage,
  unitsOfPart,
} from './message-rows.ts';
import { recipientAt, unpackRecipients } from './packed-recipients.ts';
import { isKept } from './retention.ts';

/** Reads accepted messages and sends. Whoever stores them too has `messageStore`. */
export function messageReader(table: Table) {
  return {
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
      for await (const messages of readMessages(table, BulkSend.parse(row)))
        registrations.push(...messages.map(({ registered }) => registered));
      return registrations;
    },

    /** Reads sends, and leaves out those that were not accepted. */
    findSends: async (sendIds: readonly string[]): Promise<Send[]> => {
      const keys = sendIds.map((id) => (isSingle(id) ? messageKey(id) : bulkKey(id)));
      return (await readAll(table, keys, { consistent: true })).map(parseSend);
    },

    /** The messages of a send, part by part. */
    readMessages: (send: Send) => readMessages(table, send),

    /** The messages in a part of a bulk send. */
    readPart: (send: BulkSend, part: number) => readPart(table, send, part),
  };
}

export type MessageReader = ReturnType<typeof messageReader>;

async function* readMessages(table: Table, send: Send): AsyncGenerator<StoredMessage[]> {
  if ('messageId' in send) yield [send];
  else for (const part of partsOf(send)) yield await readPart(table, send, part);
}

/** An erased recipient is not registered. */
async function readPart(table: Table, send: BulkSend, number: number): Promise<StoredMessage[]> {
  const [row] = await readAll(table, [bulkPartKey(send.bulkId, number)], { consistent: true });
  const part = await parsePart(row);
  return unpackRecipients(part.recipients).flatMap((recipient, n) => {
    const content = send.content ?? part.contents[n];
    const messageId = bulkMessageId(send.bulkId, number * partSize(send) + n);
    return content ? [{ ...send, ...recipient, content, messageId }] : [];
  });
}

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
  const headKeys = addresses.flatMap((address) => (address ? headKey(address) : []));
  const heads = await readHeads(table, headKeys);
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
  const asked = addresses.slice(0, lookedUp.size).flatMap((address) => address ?? []);
  const inRows = Map.groupBy(asked, (address) => rowId(findPartKey(address, heads) ?? headKey(address)));
  const found = new Map<string, StoredMessage>();
  const addFrom = (id: string, part?: Part) => {
    for (const address of inRows.get(id) ?? []) {
      const message = locate(address, heads, part);
      if (message && isKept(message, nowMs)) found.set(message.messageId, message);
    }
  };
  for (const id of heads.keys()) addFrom(id);
  for await (const { id, part } of readParts(table, [...partKeys.values()])) addFrom(id, part);
  return { found, lookedUp, units: heads.size + units };
}

/** How many parts are read at once. The 80 contents of one may take 7 MB when they are parsed, so that is done one by one. */
const partsAtOnce = 20;

/** Parts that time to live has deleted before their sends are left out. */
async function* readParts(table: Table, keys: readonly RowKey[]) {
  for (const some of inGroups(keys, partsAtOnce))
    for (const row of await readUnchanging(table, some))
      yield { id: rowId(row as RowKey), part: await parsePart(row) };
}

type Heads = ReadonlyMap<string, Send>;

function headKey(address: MessageAddress): RowKey {
  return address.kind === 'single' ? messageKey(address.messageId) : bulkKey(address.bulkId);
}

/** A scheduled send may have been released a moment ago: then it is read again, consistently. */
async function readHeads(table: Table, keys: readonly RowKey[]): Promise<Heads> {
  const distinct = distinctKeys(keys);
  const headOf = (row: Record<string, unknown>) => [rowId(row as RowKey), parseSend(row)] as const;
  const heads = new Map((await readUnchanging(table, distinct)).map(headOf));
  const waiting = distinct.filter((key) => {
    const head = heads.get(rowId(key));
    return head && handedOverAt(head) === undefined;
  });
  const again = await readAll(table, waiting, { consistent: true });
  return new Map([...heads, ...again.map(headOf)]);
}

/** The row with the recipient; `undefined` for a single message, and for one that is not in its send. */
function findPartKey(address: MessageAddress, heads: Heads): RowKey | undefined {
  const head = heads.get(rowId(headKey(address)));
  if (address.kind === 'single' || !head || !('count' in head)) return undefined;
  if (address.position >= head.count) return undefined;
  return bulkPartKey(address.bulkId, Math.floor(address.position / partSize(head)));
}

/** A single message, or the one of a bulk send that is in this part. */
function locate(address: MessageAddress, heads: Heads, part?: Part): StoredMessage | undefined {
  const head = heads.get(rowId(headKey(address)));
  if (!head || 'msisdn' in head) return head;
  if (address.kind === 'single' || !part) return undefined;
  const position = address.position % partSize(head);
  const recipient = recipientAt(part.recipients, position);
  const content = head.content ?? part.contents[position];
  if (!recipient || !content) return undefined;
  const { partnerId, acceptedAt, requestId, deliverFrom, releasedAt, cancelledAt } = head;
  const messageId = bulkMessageId(address.bulkId, address.position);
  const owner = { partnerId, acceptedAt, requestId, deliverFrom, releasedAt, cancelledAt };
  return { messageId, ...recipient, ...owner, content };
}
