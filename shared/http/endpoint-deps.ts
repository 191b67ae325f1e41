import { systemClock } from '../runtime/clock.ts';
import { readEnv } from '../runtime/env.ts';
import { systemIds } from '../runtime/ids.ts';
import { connectTable } from '../table/table.ts';
import { idempotencyStore } from './idempotency-store.ts';

/** The dependencies of every endpoint when deployed: the table of TABLE_NAME, the clock, random ids. */
export function endpointDeps() {
  const table = connectTable(readEnv('TABLE_NAME').TABLE_NAME);
  return { table, clock: systemClock, ids: systemIds, idempotency: idempotencyStore(table) };
}
