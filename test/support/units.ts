import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

export type Units = { read: number; write: number; calls: number };

type Capacity = { CapacityUnits?: number };

const reads = new Set(['GetItemCommand', 'QueryCommand', 'BatchGetItemCommand', 'TransactGetItemsCommand']);

/** Counts what the table says that each call consumed. */
export function countUnits(client: DynamoDBDocumentClient): { since: () => Units } {
  let units: Units = { read: 0, write: 0, calls: 0 };
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
    { step: 'initialize', name: 'countUnits' },
  );
  return {
    since: () => {
      const counted = units;
      units = { read: 0, write: 0, calls: 0 };
      return counted;
    },
  };
}
