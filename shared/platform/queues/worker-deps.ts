import { systemClock } from '../runtime/clock.ts';
import { readEnv } from '../runtime/env.ts';
import { type Stores, storesOn } from '../table/stores-on.ts';
import { connectTable } from '../table/table.ts';
import { parkedStore } from './parked-store.ts';

/** Those of every queue and stream consumer: the table with the named stores, the clock, and where to park messages. */
export function workerDeps<Made extends Stores = Record<never, never>>(stores = {} as Made) {
  const table = connectTable(readEnv('TABLE_NAME').TABLE_NAME);
  return { table, clock: systemClock, parked: parkedStore(table), ...storesOn(table, stores) };
}
