import { systemClock } from '../runtime/clock.ts';
import { readEnv } from '../runtime/env.ts';
import { connectTable } from '../table/table.ts';
import { parkedStore } from './parked-store.ts';

/**
 * The dependencies of every queue and stream consumer when deployed: the table of TABLE_NAME and the clock.
 */
export function workerDeps() {
  const table = connectTable(readEnv('TABLE_NAME').TABLE_NAME);
  return { table, clock: systemClock, parked: parkedStore(table) };
}
