import { endpointPartition } from './callbacks.ts';
import { alone, numbered, type RowKey, timeSortKey } from './row-key.ts';

/** The phones of a partner, where the wallet platform is simulated. */
export function phonesKey(partnerId: string): RowKey {
  return alone(`PHONES#${partnerId}`);
}

export function phonePartition(partnerId: string, msisdn: number): string {
  return `PHONE#${partnerId}#${msisdn}`;
}

export function shownMessageKey(pk: string, acceptedAtMs: number, messageId: string): RowKey {
  return { pk, sk: timeSortKey(acceptedAtMs, messageId) };
}

/** The receiver is in the partition of the endpoint, because it verifies with the endpoint's secrets. */
export function receiverKey(partnerId: string): RowKey {
  return { pk: endpointPartition(partnerId), sk: 'RECEIVER' };
}

export function receivedPartition(partnerId: string): string {
  return `RECEIVED#${partnerId}`;
}

export function receivedKey(partnerId: string, position: number): RowKey {
  return { pk: receivedPartition(partnerId), sk: String(position).padStart(3, '0') };
}

/** Messages of a send that were removed from devices: those of a thousand neighbours. */
export function removedKey(sendId: string, thousand: number): RowKey {
  return { pk: `REMOVED#${sendId}`, sk: numbered(thousand) };
}
