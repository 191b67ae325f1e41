import type { NewEvent } from '../../shared/events/event.ts';
import { eventWrite } from '../../shared/events/event-store.ts';
import { putRow } from '../../shared/platform/table/rows.ts';
import type { Table } from '../../shared/platform/table/table.ts';

/** Stores an event without a change of its own, which the service never does. */
export function addEvent(table: Table, partnerId: string, event: NewEvent): Promise<void> {
  return putRow(table, eventWrite(table, partnerId, event).Put.Item);
}
