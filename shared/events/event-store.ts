import { days, epochSeconds } from '../platform/runtime/clock.ts';
import { systemIds } from '../platform/runtime/ids.ts';
import { eventKey, eventsPartition, isEventKey, parseEventKey } from '../platform/table/row-keys/events.ts';
import type { RowKey } from '../platform/table/row-keys/row-key.ts';
import { putRow, queryPage, readPartition } from '../platform/table/rows.ts';
import { marked, streamMarkers } from '../platform/table/stream-markers.ts';
import type { Table } from '../platform/table/table.ts';
import { Event, type EventKind, mayBeAlert, type NewEvent } from './event.ts';

const keptMs = days(400);
/** Rows take about 300 bytes, so a page costs at most 9 read units, whatever kind is wanted. */
const rowsPerPage = 100;

type PageOptions = { limit: number; after?: string | undefined; kind?: EventKind | undefined; nowMs: number };

/** What changed or went wrong in a partner's account, kept for 400 days. */
export function eventStore(table: Table) {
  return {
    /** Stores an event that has no change of its own. */
    add: (partnerId: string, event: NewEvent): Promise<void> => putRow(table, eventRow(partnerId, event)),

    /** The newest 50 whose kinds begin like this, among the newest 300, newest first. */
    newest: async (partnerId: string, kinds: string, nowMs: number): Promise<Event[]> => {
      const rows = await readPartition(table, eventsPartition(partnerId), {
        ScanIndexForward: false,
        Limit: 300,
      });
      const events = rows.map((row) => Event.parse(row));
      return events.filter(({ at, kind }) => kind.startsWith(kinds) && at + keptMs > nowMs).slice(0, 50);
    },

    /** Events newest first, after the event with the id `after`. With a `kind` a page may be short before the last. */
    page: async (partnerId: string, { limit, after, kind, nowMs }: PageOptions) => {
      const { rows, next } = await queryPage(table, {
        KeyConditionExpression: after ? 'pk = :pk AND sk < :after' : 'pk = :pk',
        ExpressionAttributeValues: { ':pk': eventsPartition(partnerId), ':after': after },
        ScanIndexForward: false,
        ConsistentRead: true,
        Limit: kind ? rowsPerPage : limit,
      });
      const read = rows.map((row) => Event.parse(row));
      const kept = read.filter(({ at }) => at + keptMs > nowMs);
      const events = kept.filter((event) => !kind || event.kind === kind).slice(0, limit);
      const isCut = events.length === limit && events.at(-1) !== read.at(-1);
      const last = isCut ? events.at(-1) : next && read.at(-1);
      return { events, last: last?.eventId };
    },
  };
}

/** The write of an event, for the transaction of its change: both are stored, or none. */
export function eventWrite(table: Table, partnerId: string, event: NewEvent) {
  return { Put: { TableName: table.name, Item: eventRow(partnerId, event) } };
}

/** The event of a row that the stream delivers, and its partner; `undefined` for a row of another kind. */
export function eventInRow(row: unknown): { partnerId: string; event: Event } | undefined {
  const { pk } = row as RowKey;
  return isEventKey(pk) ? { partnerId: parseEventKey(pk), event: Event.parse(row) } : undefined;
}

function eventRow(partnerId: string, { atMs, kind, by, data }: NewEvent) {
  const eventId = systemIds.uuidAt(atMs);
  return {
    ...eventKey(partnerId, eventId),
    // The stream takes every event that may be an alert: FanOutStates knows which kinds the partner wants.
    ...(mayBeAlert(kind) ? { [streamMarkers.callBack]: marked } : {}),
    eventId,
    at: atMs,
    kind,
    by,
    data,
    expiresAt: epochSeconds(atMs + keptMs),
  };
}
