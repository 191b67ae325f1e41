import { alone, bucketOf, buckets, type RowKey } from './row-key.ts';

const endpointPrefix = 'ENDPOINT#';

export function endpointPartition(partnerId: string): string {
  return `${endpointPrefix}${partnerId}`;
}

export type EndpointSort = 'SETTINGS' | 'CIRCUIT' | 'PACE';

export function endpointKey(partnerId: string, sk: EndpointSort): RowKey {
  return { pk: endpointPartition(partnerId), sk };
}

/** The partner that an endpoint's row belongs to. */
export function parseEndpointKey({ pk }: RowKey): string {
  return pk.slice(endpointPrefix.length);
}

/** Apart from the endpoint, so that what examines an endpoint cannot change it, and deliveries do not read it. */
export function examinationKey(partnerId: string): RowKey {
  return alone(`EXAMINED#${partnerId}`);
}

export function callbacksPartition(partnerId: string, bucket: number): string {
  return `CALLBACKS#${partnerId}#${bucket}`;
}

export function callbacksOfMessagePrefix(messageId: string): string {
  return `${messageId}#`;
}

export function callbackKey(partnerId: string, messageId: string, state: string): RowKey {
  return {
    pk: callbacksPartition(partnerId, bucketOf(messageId)),
    sk: `${callbacksOfMessagePrefix(messageId)}${state}`,
  };
}

export function deliveredPartition(partnerId: string, bucket: number): string {
  return `DELIVERED#${partnerId}#${bucket}`;
}

/** Shards of the index `due`: a callback waits in that of its row's bucket. All are queried every minute. */
export const dueShards: readonly string[] = buckets.map((bucket) => `DUE#${bucket}`);

const failedPrefix = 'FAILED#';

export function failedCallbacksKey(partnerId: string): RowKey {
  return alone(`${failedPrefix}${partnerId}`);
}

export function parseFailedCallbacksKey({ pk }: RowKey): string {
  return pk.slice(failedPrefix.length);
}

/** The shard of the index `due` for partners that are to be told of failed callbacks. */
export const failedShard = 'DUE#failed callbacks';

/** Shards of the index `due` for circuits. */
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
