import { bucketOf, buckets, dueShardKey } from '../table/keys.ts';

/**
 * Retries that wait are found through one sparse index, in as many partitions: enough for thousands of writes
 * a second, few enough to ask all of them every minute.
 */
export const dueShards: readonly string[] = buckets.map(dueShardKey);

/** The rows of open circuits, in a partition of their own: few, and read every minute. */
export const circuitShard = dueShardKey('circuits');

/**
 * A callback waits in the shard of the bucket that keeps its row. So the rows of a partner are in all shards, and
 * those in a shard all under one key.
 */
export function dueShardOf(messageId: string): string {
  return dueShardKey(bucketOf(messageId));
}

/** A drain is one row for all shards, and waits in one of them. */
export function drainShardOf(partnerId: string): string {
  return dueShardKey(bucketOf(partnerId));
}
