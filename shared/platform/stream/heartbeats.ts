import { epochSeconds, hours, minutes } from '../runtime/clock.ts';
import { heartbeatKey } from '../table/row-keys/workers.ts';
import { putRow } from '../table/rows.ts';
import { marked, streamMarkers } from '../table/stream-markers.ts';
import type { Table } from '../table/table.ts';

const keptMs = hours(1);

/**
 * A row for every minute, with the markers of both readers of the stream. So a reader has something to read also when
 * nobody uses the service, and silence can only mean that it has stopped. Each is a new row, because DispatchMessages
 * gets no others.
 */
export function heartbeatStore(table: Table) {
  return {
    beat: (nowMs: number): Promise<void> =>
      putRow(table, {
        ...heartbeatKey(Math.floor(nowMs / minutes(1))),
        [streamMarkers.dispatch]: marked,
        [streamMarkers.callBack]: marked,
        expiresAt: epochSeconds(nowMs + keptMs),
      }),
  };
}
