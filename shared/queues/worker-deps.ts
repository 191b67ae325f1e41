import { systemClock } from '../runtime/clock.ts';
import { readEnv } from '../runtime/env.ts';
import { connectTable } from '../table/table.ts';
import { parkedStore } from './parked-store.ts';

/** What every queue and stream consumer stands on when it runs for real: the table of TABLE_NAME and the time. */
export function workerDeps() {
  const table = connectTable(readEnv('TABLE_NAME').TABLE_NAME);
  return { table, clock: systemClock, parked: parkedStore(table) };
}
