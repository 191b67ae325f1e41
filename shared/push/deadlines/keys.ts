import { bucketOf, type Key } from '../../platform/table/keys.ts';

const prefix = 'DEADLINE#';

/** `sendId`: the id of a single message, or of a bulk send. */
export function deadlineKey(sendId: string): Key {
  return { pk: `${prefix}${sendId}`, sk: '-' };
}

export function sendOfDeadline({ pk }: Key): string {
  return pk.slice(prefix.length);
}

/**
 * Each shard takes 1,000 writes a second, so a million single messages with one deadline leave the index in 43 s. After a
 * change to fewer, rows in the other shards would not be found.
 */
const shardCount = 24;

/** Shards of the index `due` for sends that have a deadline. SweepDue queries all of them every minute. */
export const deadlineShards: readonly string[] = Array.from(
  { length: shardCount },
  (_, shard) => `${prefix}${shard}`,
);

export function deadlineShardOf(sendId: string): string {
  return `${prefix}${bucketOf(sendId, shardCount)}`;
}
