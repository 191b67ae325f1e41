import { createHash } from 'node:crypto';
import { dueShardKey } from '../table/keys.ts';

/**
 * Retries that wait are found through one sparse index, in as many partitions: enough for thousands of writes
 * a second, few enough to ask all of them every minute. Changing the number strands what waits elsewhere.
 */
const shardCount = 8;

export const dueShards: readonly string[] = Array.from({ length: shardCount }, (_, n) => dueShardKey(n));

/** The rows of open circuits, in a partition of their own: few, and read every minute. */
export const circuitShard = dueShardKey('circuits');

/** All rows of a partner are in one shard, so that its backlog can be found without the others'. */
export const dueShardOf = (partnerId: string): string =>
  dueShardKey((createHash('sha256').update(partnerId).digest()[0] ?? 0) % shardCount);
