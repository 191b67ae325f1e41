import { alone, bucketOf, numbered, type RowKey } from './row-key.ts';

export function recipientKey(msisdn: number): RowKey {
  return alone(`MSISDN#${msisdn}`);
}

export function rateWindowKey(partnerId: string, window: number): RowKey {
  return alone(`RATE#${partnerId}#${window}`);
}

const messagePrefix = 'MSG#';

function messagePartition(messageId: string): string {
  return `${messagePrefix}${messageId}`;
}

export function messageKey(messageId: string): RowKey {
  return { pk: messagePartition(messageId), sk: 'MESSAGE' };
}

export function messageStateKey(messageId: string): RowKey {
  return { pk: messagePartition(messageId), sk: 'STATE' };
}

const bulkStatesPrefix = 'STATES#';

/** Each group has its own partition: the receipts of a large send can be more than the writes that a key takes. */
export function bulkStatesKey(bulkId: string, group: number): RowKey {
  return alone(`${bulkStatesPrefix}${bulkId}#${numbered(group)}`);
}

/** The send whose states are in the row with this key; `undefined` for a key of another kind. */
export function parseStatesKey({
  pk,
  sk,
}: RowKey): { messageId: string } | { bulkId: string; group: number } | undefined {
  if (sk === 'STATE') return { messageId: pk.slice(messagePrefix.length) };
  if (!pk.startsWith(bulkStatesPrefix)) return undefined;
  const [bulkId = '', group] = pk.slice(bulkStatesPrefix.length).split('#');
  return { bulkId, group: Number(group) };
}

const bulkPrefix = 'BULK#';

export function bulkKey(bulkId: string): RowKey {
  return { pk: `${bulkPrefix}${bulkId}`, sk: 'PAYLOAD' };
}

/** The id of a bulk send, from the key of any of its rows. */
export function parseBulkKey({ pk }: RowKey): string {
  return pk.slice(bulkPrefix.length);
}

export function bulkPartKey(bulkId: string, part: number): RowKey {
  return { pk: `${bulkPrefix}${bulkId}`, sk: `PART#${numbered(part)}` };
}

export function sendsPartition(partnerId: string): string {
  return `SENDS#${partnerId}`;
}

const deadlinePrefix = 'DEADLINE#';

/** `sendId`: the id of a single message, or of a bulk send. */
export function deadlineKey(sendId: string): RowKey {
  return alone(`${deadlinePrefix}${sendId}`);
}

/** The send that a deadline belongs to. */
export function parseDeadlineKey({ pk }: RowKey): string {
  return pk.slice(deadlinePrefix.length);
}

/**
 * Each shard takes 1,000 writes a second, so a million single messages with one deadline leave the index in 43 s. After a
 * change to fewer, rows in the other shards would not be found.
 */
const deadlineShardCount = 24;

/** Shards of the index `due` for sends that have a deadline. SweepDue queries all of them every minute. */
export const deadlineShards: readonly string[] = Array.from(
  { length: deadlineShardCount },
  (_, shard) => `${deadlinePrefix}${shard}`,
);

export function deadlineShardOf(sendId: string): string {
  return `${deadlinePrefix}${bucketOf(sendId, deadlineShardCount)}`;
}
