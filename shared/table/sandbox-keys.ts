import type { Key } from './keys.ts';

/** Keys of what only stages with a simulated wallet platform have, by the rules of keys.ts. */

export function phonesKey(partnerId: string): Key {
  return { pk: `PHONES#${partnerId}`, sk: '-' };
}

export function phonePartition(partnerId: string, msisdn: number): string {
  return `PHONE#${partnerId}#${msisdn}`;
}

/** In the order of acceptance. */
export function shownMessageKey(pk: string, acceptedAtMs: number, messageId: string): Key {
  return { pk, sk: `${String(acceptedAtMs).padStart(15, '0')}#${messageId}` };
}
