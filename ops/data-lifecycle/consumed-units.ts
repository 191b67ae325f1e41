import type { Table } from '../../shared/table/table.ts';

/** Read and write units, and the number of calls that used them. */
export interface ConsumedUnits {
  read: number;
  write: number;
  calls: number;
}

type Capacity = { CapacityUnits?: number };

const reads = new Set([
  'GetItemCommand',
  'QueryCommand',
  'ScanCommand',
  'BatchGetItemCommand',
  'TransactGetItemsCommand',
]);

/** Counts the units that the table reports for every call of its client from now on. */
export function countUnits({ client }: Pick<Table, 'client'>): ConsumedUnits {
  const units = { read: 0, write: 0, calls: 0 };
  client.middlewareStack.add(
    (next, context) => async (args) => {
      Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' });
      const result = await next(args);
      const consumed = (result.output as { ConsumedCapacity?: Capacity | Capacity[] }).ConsumedCapacity;
      const total = [consumed ?? []].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
      units[reads.has(String(context.commandName)) ? 'read' : 'write'] += total;
      units.calls += 1;
      return result;
    },
    { step: 'initialize' },
  );
  return units;
}
