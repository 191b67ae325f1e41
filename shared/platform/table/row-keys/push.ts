import { alone, bucketOf, idIn, numbered, type RowKey } from './row-key.ts';

export function recipientKey(msisdn: number): RowKey {
  return alone(`MSISDN#${msisdn}`);
}

export function rateWindowKey(partnerId: string, window: number): RowKey {
  return alone(`RATE#${partnerId}#${window}`);
}

function messagePartition(messageId: string): string {
  return `MSG#${messageId}`;
}

export function messageKey(messageId: string): RowKey {
  return { pk: messagePartition(messageId), sk: 'MESSAGE' };
}

export function messageStateKey(messageId: string): RowKey {
  return { pk: messagePartition(messageId), sk: 'STATE' };
}

/** Each group has its own partition: the receipts of a large send can be more than the writes that a key takes. */
export function bulkStatesKey(bulkId: string, group: number): RowKey {
  return alone(`STATES#${bulkId}#${numbered(group)}`);
}

/** The send whose states are in the row with this key; `undefined` for a key of another kind. */
export function parseStatesKey(
  row: RowKey,
): { messageId: string } | { bulkId: string; group: number } | undefined {
  if (row.sk === 'STATE') return { messageId: idIn(row) };
  if (!row.pk.startsWith('STATES#')) return undefined;
  const [bulkId = '', group] = idIn(row).split('#');
  return { bulkId, group: Number(group) };
}

export function bulkKey(bulkId: string): RowKey {
  return { pk: `BULK#${bulkId}`, sk: 'PAYLOAD' };
}

export function bulkPartKey(bulkId: string, part: number): RowKey {
  return { pk: `BULK#${bulkId}`, sk: `PART#${numbered(part)}` };
}

export function sendsPartition(partnerId: string): string {
  return `SENDS#${partnerId}`;
}

/** `sendId`: the id of a single message, or of a bulk send. */
export function deadlineKey(sendId: string): RowKey {
  return alone(`DEADLINE#${sendId}`);
}

/**
 * Each shard takes 1,000 writes a second, so a million single messages with one deadline leave the index in 43 s. After a
 * change to fewer, rows in the other shards would not be found.
 */
const deadlineShardCount = 24;

/** Shards of the index `due` for sends that have a deadline. SweepDue queries all of them every minute. */
export const deadlineShards: readonly string[] = Array.from(
  { length: deadlineShardCount },
  (_, shard) => `DEADLINE#${shard}`,
);

export function deadlineShardOf(sendId: string): string {
  return `DEADLINE#${bucketOf(sendId, deadlineShardCount)}`;
}
