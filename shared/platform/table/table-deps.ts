import { systemClock } from '../runtime/clock.ts';
import { readEnv } from '../runtime/env.ts';
import { connectTable, type Table } from './table.ts';

/** Functions that make stores, by the names that the stores get. */
export type Stores = Record<string, (table: Table) => unknown>;

/** The dependencies of a deployed function: the clock, and the named stores on its table. */
export function tableDeps<Made extends Stores>(stores: Made) {
  const table = connectTable(readEnv('TABLE_NAME'));
  const entries = Object.entries(stores).map(([name, store]) => [name, store(table)]);
  const made = Object.fromEntries(entries) as { [Name in keyof Made]: ReturnType<Made[Name]> };
  return { clock: systemClock, ...made };
}
