import { alone, bucketOf, buckets, idIn, type RowKey } from './row-key.ts';

export function endpointPartition(endpointId: string): string {
  return `ENDPOINT#${endpointId}`;
}

export type EndpointSort = 'SETTINGS' | 'CIRCUIT' | 'PACE';

export function endpointKey(endpointId: string, sk: EndpointSort): RowKey {
  return { pk: endpointPartition(endpointId), sk };
}

/** Apart from the endpoint, so that what examines an endpoint cannot change it, and deliveries do not read it. */
export function examinationKey(partnerId: string): RowKey {
  return alone(`EXAMINED#${partnerId}`);
}

export function callbacksPartition(endpointId: string, bucket: number): string {
  return `CALLBACKS#${endpointId}#${bucket}`;
}

/** The endpoint of a callback's row. */
export function parseCallbackKey(row: RowKey): string {
  return idIn(row).replace(/#\d+$/, '');
}

export function callbacksOfMessagePrefix(messageId: string): string {
  return `${messageId}#`;
}

export function callbackKey(endpointId: string, messageId: string, state: string): RowKey {
  return {
    pk: callbacksPartition(endpointId, bucketOf(messageId)),
    sk: `${callbacksOfMessagePrefix(messageId)}${state}`,
  };
}

export function deliveredPartition(partnerId: string, bucket: number): string {
  return `DELIVERED#${partnerId}#${bucket}`;
}

/** Shards of the index `due`: a callback waits in that of its row's bucket. All are queried every minute. */
export const dueShards: readonly string[] = buckets.map((bucket) => `DUE#${bucket}`);

export function failedCallbacksKey(partnerId: string): RowKey {
  return alone(`FAILED#${partnerId}`);
}

/** The shard of the index `due` for partners that are to be told of failed callbacks. */
export const failedShard = 'DUE#failed callbacks';

/** Shards of the index `due` for circuits: those that opened, and those whose drain runs. */
export const openShard = 'DUE#circuits';
export const drainingShard = 'DUE#closed circuits';

export function dueShardOf(messageId: string): string {
  return `DUE#${bucketOf(messageId)}`;
}

/** The shard of the index `due` for the deferred callbacks of an endpoint. */
export function deferredShardKey(endpointId: string, bucket: number): string {
  return `DEFERRED#${endpointId}#${bucket}`;
}

/** The shard of the index `listed`. */
export function listedShardKey(endpointId: string, bucket: number, status: string): string {
  return `${endpointId}#${bucket}#${status}`;
}
