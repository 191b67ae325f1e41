import { systemClock } from '../runtime/clock.ts';
import { readEnv } from '../runtime/env.ts';
import { systemIds } from '../runtime/ids.ts';
import { type Stores, storesOn } from '../table/stores-on.ts';
import { connectTable } from '../table/table.ts';
import { idempotencyStore } from './idempotency-store.ts';

/**
 * The dependencies of every endpoint when deployed: the table of TABLE_NAME with the named stores on it, the clock,
 * random ids.
 */
export function endpointDeps<Made extends Stores = Record<never, never>>(stores = {} as Made) {
  const table = connectTable(readEnv('TABLE_NAME').TABLE_NAME);
  const deps = { table, clock: systemClock, ids: systemIds, idempotency: idempotencyStore(table) };
  return { ...deps, ...storesOn(table, stores) };
}
