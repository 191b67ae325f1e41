import { bucketOf, buckets, deferredShardKey, dueShardKey } from '../table/keys.ts';

/**
 * Waiting retries are found through one sparse index, in this many partitions: enough for thousands of writes a
 * second, few enough to query all of them every minute.
 */
export const dueShards: readonly string[] = buckets.map(dueShardKey);

/** The circuits that are open, and those that have closed with callbacks deferred: few, and read every minute. */
export const openShard = dueShardKey('circuits');
export const closedShard = dueShardKey('closed circuits');

/**
 * A callback waits in the shard of its row's bucket. So a partner's rows are in all shards, and within a shard all
 * under one key.
 */
export function dueShardOf(messageId: string): string {
  return dueShardKey(bucketOf(messageId));
}

/** What found the circuit open waits apart, by partner, so that its end finds just that. */
export function deferredShardOf({ partnerId, messageId }: { partnerId: string; messageId: string }): string {
  return deferredShardKey(partnerId, bucketOf(messageId));
}
