import type { RowKey } from './row-key.ts';

const eventsPrefix = 'EVENTS#';

export function eventsPartition(partnerId: string): string {
  return `${eventsPrefix}${partnerId}`;
}

export function isEventKey(pk: string): boolean {
  return pk.startsWith(eventsPrefix);
}

/**
 * The two ranges of a partner's events. Those of the endpoint, its notices, lie behind all others, so that the newest of
 * them are found whatever else happens. No UUID begins with a letter behind f.
 */
export const eventRanges = {
  others: { prefix: '', condition: 'sk < :notices' },
  notices: { prefix: 'notice#', condition: 'sk > :notices' },
} as const;
export type EventRange = keyof typeof eventRanges;

export function rangeOfKind(kind: string): EventRange {
  return kind.startsWith('endpoint.') ? 'notices' : 'others';
}

/** Within its range an event sorts by time, because an eventId is a UUID of version 7. */
export function eventKey(partnerId: string, range: EventRange, eventId: string): RowKey {
  return { pk: eventsPartition(partnerId), sk: `${eventRanges[range].prefix}${eventId}` };
}
