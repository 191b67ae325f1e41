import { days, epochSeconds } from '../platform/runtime/clock.ts';
import { systemIds } from '../platform/runtime/ids.ts';
import {
  type EventRange,
  eventKey,
  eventRanges,
  eventsPartition,
  isEventKey,
  rangeOfKind,
} from '../platform/table/row-keys/events.ts';
import { idIn, type RowKey } from '../platform/table/row-keys/row-key.ts';
import { queryPage } from '../platform/table/rows.ts';
import { marked, streamMarkers } from '../platform/table/stream-markers.ts';
import type { Table } from '../platform/table/table.ts';
import { Event, EventKind, type NewEvent } from './event.ts';

const keptMs = days(400);
/** Rows take about 300 bytes, so a page costs at most 10 read units, whatever kind is wanted. */
const rowsPerPage = 100;

type PageOptions = { limit: number; after?: string | undefined; kind?: EventKind | undefined; nowMs: number };

/** What changed or went wrong in a partner's account, kept for 400 days. */
export function eventStore(table: Table) {
  return {
    /** The newest 50 notices of the endpoint, newest first. */
    notices: async (partnerId: string, nowMs: number): Promise<Event[]> => {
      const { events } = await readRange(table, partnerId, 'notices', { after: undefined, size: 50 });
      return events.filter(({ at }) => at + keptMs > nowMs);
    },

    /** Events newest first, after the event with the id `after`. With a `kind` a page may be short before the last. */
    page: async (partnerId: string, { limit, after, kind, nowMs }: PageOptions) => {
      const ranges: EventRange[] = kind ? [rangeOfKind(kind)] : ['others', 'notices'];
      const pages = await Promise.all(
        ranges.map((range) =>
          readRange(table, partnerId, range, {
            after,
            size: kind ? rowsPerPage : limit,
          }),
        ),
      );
      // A range that was not read to its end goes on after its last event: what is older in the other one waits for that.
      const readTo = pages
        .flatMap(({ unreadAfter }) => unreadAfter ?? [])
        .sort()
        .at(-1);
      const read = pages
        .flatMap(({ events }) => events)
        .filter(({ eventId }) => readTo === undefined || eventId >= readTo)
        .sort((a, b) => (a.eventId < b.eventId ? 1 : -1));
      const wanted = read.filter((event) => event.at + keptMs > nowMs && (!kind || event.kind === kind));
      const events = wanted.slice(0, limit);
      const isCut = events.length === limit && events.at(-1) !== read.at(-1);
      const unknown = pages.reduce((sum, page) => sum + page.unknown, 0);
      return { events, unknown, last: isCut ? events.at(-1)?.eventId : readTo };
    },
  };
}

/**
 * Events of a range after the one with the id `after`, newest first; more follow if there is an `unreadAfter`. `unknown`
 * counts rows that are left out.
 */
async function readRange(
  table: Table,
  partnerId: string,
  range: EventRange,
  { after, size }: { after: string | undefined; size: number },
) {
  const { rows, next } = await queryPage(table, {
    KeyConditionExpression: `pk = :pk AND ${eventRanges[range].condition}`,
    ExpressionAttributeValues: { ':pk': eventsPartition(partnerId), ':notices': eventRanges.notices.prefix },
    ...(after ? { ExclusiveStartKey: eventKey(partnerId, range, after) } : {}),
    ScanIndexForward: false,
    ConsistentRead: true,
    Limit: size,
  });
  const events = eventsIn(rows);
  const last = next && rows.at(-1)?.['eventId'];
  return { events, unknown: rows.length - events.length, unreadAfter: last ? String(last) : undefined };
}

/** The events of rows. After a rollback there may be rows of kinds that only the newer version knows: they are left out. */
function eventsIn(rows: readonly Record<string, unknown>[]): Event[] {
  return rows.flatMap((row) => (isKnown(row) ? Event.parse(row) : []));
}

function isKnown(row: Record<string, unknown>): boolean {
  return EventKind.options.some((kind) => kind === row['kind']);
}

/** The write of an event, for the transaction of its change: both are stored, or none. */
export function eventWrite(table: Table, partnerId: string, event: NewEvent) {
  return { Put: { TableName: table.name, Item: eventRow(partnerId, event) } };
}

/** An event that the stream delivers, and its partner. */
export type OwnedEvent = { partnerId: string; event: Event };

export function isEventRow(row: unknown): boolean {
  return isEventKey((row as RowKey).pk);
}

/** The event of such a row; `undefined` for one of a kind that only a newer version knows, which can be no alert yet. */
export function eventInRow(row: unknown): OwnedEvent | undefined {
  if (!isKnown(row as Record<string, unknown>)) return undefined;
  return { partnerId: idIn(row as RowKey), event: Event.parse(row) };
}

function eventRow(partnerId: string, { atMs, kind, by, data }: NewEvent) {
  const eventId = systemIds.uuidAt(atMs);
  return {
    ...eventKey(partnerId, rangeOfKind(kind), eventId),
    partnerId,
    // The stream takes every event that may be an alert: FanOutStates knows which kinds the partner wants.
    ...(kind === 'alerts.changed' ? {} : { [streamMarkers.callBack]: marked }),
    eventId,
    at: atMs,
    kind,
    by,
    data,
    expiresAt: epochSeconds(atMs + keptMs),
  };
}
