import type { Table } from '../../../shared/table/table.ts';
import { theRun } from '../core/current.ts';
import { SimulatedTableClient } from '../core/table-client.ts';

export function connectTable(): Table {
  const { table } = theRun();
  return { client: new SimulatedTableClient(), name: table.name };
}
