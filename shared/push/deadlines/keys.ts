import { bucketOf, buckets, type Key } from '../../platform/table/keys.ts';

const prefix = 'DEADLINE#';

/** `sendId`: the id of a single message, or of a bulk send. */
export function deadlineKey(sendId: string): Key {
  return { pk: `${prefix}${sendId}`, sk: '-' };
}

export function sendOfDeadline({ pk }: Key): string {
  return pk.slice(prefix.length);
}

/** In the index `due`: sends that have a deadline. All shards are queried every minute. */
export const deadlineShards: readonly string[] = buckets.map((bucket) => `${prefix}${bucket}`);

export function deadlineShardOf(sendId: string): string {
  return `${prefix}${bucketOf(sendId)}`;
}
