import { alone, type RowKey } from './row-key.ts';

export function checkInCounterKey(offerId: string): RowKey {
  return alone(`CHECKINCOUNTER#${offerId}`);
}

export function checkInsPartition(offerId: string, placeId: string): string {
  return `CHECKINS#${offerId}#${placeId}`;
}

export function activeCheckInKey(offerId: string, placeId: string, cardNumber: string): RowKey {
  return { pk: checkInsPartition(offerId, placeId), sk: `CARD#${cardNumber}` };
}

export function checkInKey(offerId: string, checkinNumber: number): RowKey {
  return alone(`CHECKIN#${offerId}#${checkinNumber}`);
}
