import { eventStore } from '../../shared/events/event-store.ts';
import type { Table } from '../../shared/platform/table/table.ts';

type Rig = { table: Table; clock: { now: () => number } };

/** The events that GET /events shows bars a second later, the newest first. */
export async function shownEvents({ table, clock }: Rig) {
  const { events } = await eventStore(table).page('bars', { limit: 100, nowMs: clock.now() + 1_000 });
  return events.map(({ kind, by, data }) => ({ kind, by, data }));
}
