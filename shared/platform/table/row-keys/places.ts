import { alone, numbered, type RowKey } from './row-key.ts';

export function placesPartition(offerId: string): string {
  return `PLACES#${offerId}`;
}

export function placeKey(offerId: string, itemId: string): RowKey {
  return { pk: placesPartition(offerId), sk: itemId };
}

export function removalGuardKey(offerId: string): RowKey {
  return alone(`HELD#${offerId}`);
}

export function sessionsPartition(offerId: string): string {
  return `SYNC#${offerId}`;
}

/** Sessions sort by time, because a sessionId is a UUID of version 7. */
export function sessionKey(offerId: string, sessionId: string): RowKey {
  return { pk: sessionsPartition(offerId), sk: sessionId };
}

export function syncErrorsKey(offerId: string, sessionId: string, part: number): RowKey {
  return { pk: `SYNCERRORS#${offerId}#${sessionId}`, sk: numbered(part) };
}

export function syncChangesKey(offerId: string, sessionId: string): RowKey {
  return alone(`SYNCCHANGES#${offerId}#${sessionId}`);
}

/** Each part has its own partition: a large list is more than the 1,000 kB a second that a key takes. */
export function listPartKey(offerId: string, sessionId: string, part: number): RowKey {
  return alone(`LIST#${offerId}#${sessionId}#${numbered(part)}`);
}
