import type { RowKey } from './row-key.ts';

export function eventsPartition(partnerId: string): string {
  return `EVENTS#${partnerId}`;
}

/** Events sort by time, because an eventId is a UUID of version 7. */
export function eventKey(partnerId: string, eventId: string): RowKey {
  return { pk: eventsPartition(partnerId), sk: eventId };
}
