import { endpointPartition, type Key, sortByTime } from '../platform/table/keys.ts';

/** Keys of what only stages with a simulated wallet platform have, by the rules of keys.ts. */

export function phonePartition(partnerId: string, msisdn: number): string {
  return `PHONE#${partnerId}#${msisdn}`;
}

export function shownMessageKey(pk: string, acceptedAtMs: number, messageId: string): Key {
  return { pk, sk: sortByTime(acceptedAtMs, messageId) };
}

/** The receiver is in the partition of the endpoint, because it verifies with the endpoint's secrets. */
export function receiverKey(partnerId: string): Key {
  return { pk: endpointPartition(partnerId), sk: 'RECEIVER' };
}

export function receivedPartition(partnerId: string): string {
  return `RECEIVED#${partnerId}`;
}

export function receivedKey(partnerId: string, slot: number): Key {
  return { pk: receivedPartition(partnerId), sk: String(slot).padStart(3, '0') };
}
