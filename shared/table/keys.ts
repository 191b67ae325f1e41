import { createHash } from 'node:crypto';

/**
 * Every key of the table. Ids that a partner chose stand last in a key, or alone in a sort key, so that no id
 * can be spelled to reach into another's rows; offerId, partnerId and sessionId never contain `#`.
 */

export type Key = { pk: string; sk: string };

const alone = (pk: string): Key => ({ pk, sk: '-' });
const numbered = (n: number): string => String(n).padStart(6, '0');

export const accountKey = (login: string): Key => alone(`ACCOUNT#${login}`);
export const offerKey = (offerId: string): Key => alone(`OFFER#${offerId}`);
export const partnersPartition = 'PARTNERS';
export const partnerKey = (partnerId: string): Key => ({ pk: partnersPartition, sk: partnerId });

export const placesPartition = (offerId: string): string => `PLACES#${offerId}`;
export const placeKey = (offerId: string, itemId: string): Key => ({
  pk: placesPartition(offerId),
  sk: itemId,
});

export const acceptanceGateKey = (offerId: string): Key => alone(`SYNCGATE#${offerId}`);
export const syncPartition = (offerId: string, sessionId: string): string => `SYNC#${offerId}#${sessionId}`;
export const sessionSort = 'SESSION';
export const slicePlanSort = (slice: number): string => `PLAN#${numbered(slice)}`;
export const syncErrorsPrefix = 'ERRORS#';
export const syncErrorsSort = (slice: number, part: number): string =>
  `${syncErrorsPrefix}${numbered(slice)}#${numbered(part)}`;

export const checkInCounterKey = (offerId: string): Key => alone(`CHECKINCOUNTER#${offerId}`);
export const checkInsPartition = (offerId: string, placeId: string): string =>
  `CHECKINS#${offerId}#${placeId}`;
export const activeCheckInKey = (offerId: string, placeId: string, cardNumber: string): Key => ({
  pk: checkInsPartition(offerId, placeId),
  sk: `CARD#${cardNumber}`,
});
export const checkInKey = (offerId: string, checkinNumber: number): Key =>
  alone(`CHECKIN#${offerId}#${checkinNumber}`);

export const promotionCounterKey = (partnerId: string): Key => alone(`PROMOCOUNTER#${partnerId}`);
export const promotionsPartition = (partnerId: string): string => `PROMOS#${partnerId}`;
export const promotionItemPrefix = 'ITEM#';
export const promotionItemKey = (partnerId: string, promoId: number): Key => ({
  pk: promotionsPartition(partnerId),
  sk: `${promotionItemPrefix}${String(promoId).padStart(10, '0')}`,
});
export const promotionKey = (partnerId: string, promoId: number): Key => ({
  pk: promotionsPartition(partnerId),
  sk: `PROMO#${String(promoId).padStart(10, '0')}`,
});

export const idempotencyKey = (caller: string, operation: string, key: string): Key =>
  alone(`IDEM#${caller}#${operation}#${key}`);

export const parkedKey = (queue: string, messageId: string): Key => ({
  pk: `PARKED#${queue}`,
  sk: messageId,
});

export const recipientKey = (msisdn: number): Key => alone(`MSISDN#${msisdn}`);
export const rateWindowKey = (partnerId: string, window: number): Key => alone(`RATE#${partnerId}#${window}`);

const messagePartition = (messageId: string): string => `MSG#${messageId}`;
export const messageKey = (messageId: string): Key => ({ pk: messagePartition(messageId), sk: 'MESSAGE' });
export const messageStateKey = (messageId: string): Key => ({ pk: messagePartition(messageId), sk: 'STATE' });
export const bulkKey = (bulkId: string): Key => ({ pk: `BULK#${bulkId}`, sk: 'PAYLOAD' });
export const bulkPartKey = (bulkId: string, part: number): Key => ({
  pk: `BULK#${bulkId}`,
  sk: `PART#${numbered(part)}`,
});

const endpointPrefix = 'ENDPOINT#';
export const endpointPartition = (partnerId: string): string => `${endpointPrefix}${partnerId}`;
export const endpointOwner = ({ pk }: Key): string => pk.slice(endpointPrefix.length);
export const endpointSettingsSort = 'SETTINGS';
export const endpointCircuitSort = 'CIRCUIT';

/** A key takes 1,000 writes a second. Changing the number strands what is kept elsewhere. */
const bucketCount = 8;
export const buckets: readonly number[] = Array.from({ length: bucketCount }, (_, n) => n);
export const bucketOf = (id: string): number =>
  (createHash('sha256').update(id).digest()[0] ?? 0) % bucketCount;

export const callbacksPartition = (partnerId: string, bucket: number): string =>
  `CALLBACKS#${partnerId}#${bucket}`;
export const callbacksOfMessagePrefix = (messageId: string): string => `${messageId}#`;
export const callbackKey = (partnerId: string, messageId: string, state: string): Key => ({
  pk: callbacksPartition(partnerId, bucketOf(messageId)),
  sk: `${callbacksOfMessagePrefix(messageId)}${state}`,
});
export const callbackOwner = ({ pk }: Key): string => pk.split('#')[1] ?? '';
const drainPrefix = 'DRAIN#';
export const drainKey = (partnerId: string): Key => alone(`${drainPrefix}${partnerId}`);
/** The partner whose backlog a row of the due index asks to drain; `undefined` for the row of a callback. */
export const drainedPartner = ({ pk }: Key): string | undefined =>
  pk.startsWith(drainPrefix) ? pk.slice(drainPrefix.length) : undefined;
export const dueShardKey = (shard: number | 'circuits'): string => `DUE#${shard}`;
