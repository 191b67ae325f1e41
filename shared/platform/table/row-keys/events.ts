import type { RowKey } from './row-key.ts';

const eventsPrefix = 'EVENTS#';

export function eventsPartition(partnerId: string): string {
  return `${eventsPrefix}${partnerId}`;
}

export function isEventKey(pk: string): boolean {
  return pk.startsWith(eventsPrefix);
}

/** The partner that an event belongs to. */
export function parseEventKey(pk: string): string {
  return pk.slice(eventsPrefix.length);
}

/** Events sort by time, because an eventId is a UUID of version 7. */
export function eventKey(partnerId: string, eventId: string): RowKey {
  return { pk: eventsPartition(partnerId), sk: eventId };
}
