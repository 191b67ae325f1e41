import { createHash } from 'node:crypto';

/**
 * Every key of the table. Ids that a partner chose come last in a key, or alone in a sort key, so that no id can
 * reach into another's rows; offerId, partnerId and sessionId never contain `#`.
 */

export type Key = { pk: string; sk: string };

export function alone(pk: string): Key {
  return { pk, sk: '-' };
}

/** Sorts by time. Without an id it comes before all ids of that time. */
export function sortByTime(atMs: number, id = ''): string {
  return `${String(atMs).padStart(15, '0')}#${id}`;
}

function numbered(n: number): string {
  return String(n).padStart(6, '0');
}

export function accountKey(login: string): Key {
  return alone(`ACCOUNT#${login}`);
}

export function offerKey(offerId: string): Key {
  return alone(`OFFER#${offerId}`);
}

export const partnersPartition = 'PARTNERS';

export function partnerKey(partnerId: string): Key {
  return { pk: partnersPartition, sk: partnerId };
}

export function placesPartition(offerId: string): string {
  return `PLACES#${offerId}`;
}

export function placeKey(offerId: string, itemId: string): Key {
  return { pk: placesPartition(offerId), sk: itemId };
}

export function removalGuardKey(offerId: string): Key {
  return alone(`HELD#${offerId}`);
}

export function sessionsPartition(offerId: string): string {
  return `SYNC#${offerId}`;
}

/** Sessions sort by time, because a sessionId is a UUID of version 7. */
export function sessionKey(offerId: string, sessionId: string): Key {
  return { pk: sessionsPartition(offerId), sk: sessionId };
}

export function syncErrorsKey(offerId: string, sessionId: string, part: number): Key {
  return { pk: `SYNCERRORS#${offerId}#${sessionId}`, sk: numbered(part) };
}

/** Each part has its own partition: a large list is more than the 1,000 kB a second that a key takes. */
export function listPartKey(offerId: string, sessionId: string, part: number): Key {
  return alone(`LIST#${offerId}#${sessionId}#${numbered(part)}`);
}

export function checkInCounterKey(offerId: string): Key {
  return alone(`CHECKINCOUNTER#${offerId}`);
}

export function checkInsPartition(offerId: string, placeId: string): string {
  return `CHECKINS#${offerId}#${placeId}`;
}

export function activeCheckInKey(offerId: string, placeId: string, cardNumber: string): Key {
  return { pk: checkInsPartition(offerId, placeId), sk: `CARD#${cardNumber}` };
}

export function checkInKey(offerId: string, checkinNumber: number): Key {
  return alone(`CHECKIN#${offerId}#${checkinNumber}`);
}

export function promotionCounterKey(partnerId: string): Key {
  return alone(`PROMOCOUNTER#${partnerId}`);
}

export function promotionsPartition(partnerId: string): string {
  return `PROMOS#${partnerId}`;
}

export const promotionItemPrefix = 'ITEM#';

export function promotionItemKey(partnerId: string, promoId: number): Key {
  const sk = `${promotionItemPrefix}${String(promoId).padStart(10, '0')}`;
  return { pk: promotionsPartition(partnerId), sk };
}

export function promotionKey(partnerId: string, promoId: number): Key {
  return { pk: promotionsPartition(partnerId), sk: `PROMO#${String(promoId).padStart(10, '0')}` };
}

export function idempotencyKey(caller: string, operation: string, key: string): Key {
  return alone(`IDEM#${caller}#${operation}#${key}`);
}

/** A kept response that is too large for the row of its Idempotency-Key, which is alone under the same `pk` with `-`. */
export function keptResponseKey({ pk }: Key, requestId: string): Key {
  return { pk, sk: `RESPONSE#${requestId}` };
}

export function parkedPartition(queue: string): string {
  return `PARKED#${queue}`;
}

export function parkedKey(queue: string, messageId: string): Key {
  return { pk: parkedPartition(queue), sk: messageId };
}

export function recipientKey(msisdn: number): Key {
  return alone(`MSISDN#${msisdn}`);
}

export function rateWindowKey(partnerId: string, window: number): Key {
  return alone(`RATE#${partnerId}#${window}`);
}

const messagePrefix = 'MSG#';

function messagePartition(messageId: string): string {
  return `${messagePrefix}${messageId}`;
}

export function messageKey(messageId: string): Key {
  return { pk: messagePartition(messageId), sk: 'MESSAGE' };
}

export function messageStateKey(messageId: string): Key {
  return { pk: messagePartition(messageId), sk: 'STATE' };
}

const bulkStatesPrefix = 'STATES#';

/** Each group has its own partition: the receipts of a large send can be more than the writes that a key takes. */
export function bulkStatesKey(bulkId: string, group: number): Key {
  return alone(`${bulkStatesPrefix}${bulkId}#${numbered(group)}`);
}

/** The send whose states are in the row with this key; `undefined` for a key of another kind. */
export function ownerOfStates({
  pk,
  sk,
}: Key): { messageId: string } | { bulkId: string; group: number } | undefined {
  if (sk === 'STATE') return { messageId: pk.slice(messagePrefix.length) };
  if (!pk.startsWith(bulkStatesPrefix)) return undefined;
  const [bulkId = '', group] = pk.slice(bulkStatesPrefix.length).split('#');
  return { bulkId, group: Number(group) };
}

const bulkPrefix = 'BULK#';

export function bulkKey(bulkId: string): Key {
  return { pk: `${bulkPrefix}${bulkId}`, sk: 'PAYLOAD' };
}

export function bulkIdOf({ pk }: Key): string {
  return pk.slice(bulkPrefix.length);
}

export function bulkPartKey(bulkId: string, part: number): Key {
  return { pk: `${bulkPrefix}${bulkId}`, sk: `PART#${numbered(part)}` };
}

export function sendsPartition(partnerId: string): string {
  return `SENDS#${partnerId}`;
}

const endpointPrefix = 'ENDPOINT#';

export function endpointPartition(partnerId: string): string {
  return `${endpointPrefix}${partnerId}`;
}

export function endpointOwner({ pk }: Key): string {
  return pk.slice(endpointPrefix.length);
}

export function noticesPartition(partnerId: string): string {
  return `NOTICES#${partnerId}`;
}

export function noticeKey(partnerId: string, atMs: number, what: string): Key {
  return { pk: noticesPartition(partnerId), sk: sortByTime(atMs, what) };
}

export function requestsKey(partnerId: string, budget: string, window: number): Key {
  return alone(`REQUESTS#${partnerId}#${budget}#${window}`);
}

export function limitedUseKey(
  use: 'CALLBACKTESTS' | 'EXAMINATIONS' | 'REPLAYS' | 'REPORTS',
  partnerId: string,
  window: number,
): Key {
  return alone(`${use}#${partnerId}#${window}`);
}

/** The phones of a partner, where the wallet platform is simulated. */
export function phonesKey(partnerId: string): Key {
  return alone(`PHONES#${partnerId}`);
}

export type EndpointSort = 'SETTINGS' | 'CIRCUIT' | 'PACE' | 'EXAMINED';

export function endpointKey(partnerId: string, sk: EndpointSort): Key {
  return { pk: endpointPartition(partnerId), sk };
}

/** Buckets spread rows, because a key takes 1,000 writes a second. Another number would not find the old rows. */
const bucketCount = 8;
export const buckets: readonly number[] = Array.from({ length: bucketCount }, (_, n) => n);

export function bucketOf(id: string, count = bucketCount): number {
  return (createHash('sha256').update(id).digest()[0] ?? 0) % count;
}

export function callbacksPartition(partnerId: string, bucket: number): string {
  return `CALLBACKS#${partnerId}#${bucket}`;
}

export function callbacksOfMessagePrefix(messageId: string): string {
  return `${messageId}#`;
}

export function callbackKey(partnerId: string, messageId: string, state: string): Key {
  return {
    pk: callbacksPartition(partnerId, bucketOf(messageId)),
    sk: `${callbacksOfMessagePrefix(messageId)}${state}`,
  };
}

export function deliveredPartition(partnerId: string, bucket: number): string {
  return `DELIVERED#${partnerId}#${bucket}`;
}
