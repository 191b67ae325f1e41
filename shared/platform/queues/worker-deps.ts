import { systemClock } from '../runtime/clock.ts';
import { readEnv } from '../runtime/env.ts';
import { createStores, type Stores } from '../table/create-stores.ts';
import { connectTable } from '../table/table.ts';
import { parkedStore } from './parked-store.ts';

/** The dependencies of every queue and stream consumer: the table with the named stores, the clock, parking. */
export function workerDeps<Made extends Stores = Record<never, never>>(stores = {} as Made) {
  const table = connectTable(readEnv('TABLE_NAME'));
  return { table, clock: systemClock, parked: parkedStore(table), ...createStores(table, stores) };
}
