import { bucketOf, buckets } from './keys.ts';

/** The partition keys of the indexes `due` and `listed`. */

/** Shards of the index `due`, where a callback waits in that of its row's bucket. All are queried every minute. */
export const dueShards: readonly string[] = buckets.map((bucket) => `DUE#${bucket}`);
export const openShard = 'DUE#circuits';
export const closedShard = 'DUE#closed circuits';

export function dueShardOf(messageId: string): string {
  return `DUE#${bucketOf(messageId)}`;
}

/** The shard of the index `due` for what waits until a partner's open circuit closes. */
export function deferredShardKey(partnerId: string, bucket: number): string {
  return `DEFERRED#${partnerId}#${bucket}`;
}

/** The shard of the index `listed`. */
export function listedShardKey(partnerId: string, bucket: number, status: string): string {
  return `${partnerId}#${bucket}#${status}`;
}
