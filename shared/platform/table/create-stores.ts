import type { Table } from './table.ts';

/** Functions that make stores, by the names that the stores get. */
export type Stores = Record<string, (table: Table) => unknown>;

export function createStores<Made extends Stores>(table: Table, stores: Made) {
  const entries = Object.entries(stores).map(([name, store]) => [name, store(table)]);
  return Object.fromEntries(entries) as { [Name in keyof Made]: ReturnType<Made[Name]> };
}
