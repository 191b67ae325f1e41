/** The operations that report what they consumed, on request. */
const reads = ['GetItem', 'BatchGetItem', 'Query', 'Scan', 'TransactGetItems'];
const writes = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems'];

/** Which units an operation such as `PutItem` consumes; `undefined` for one that reports none. */
export function unitsOf(operation: string): 'read' | 'write' | undefined {
  if (reads.includes(operation)) return 'read';
  return writes.includes(operation) ? 'write' : undefined;
}

type Capacity = { CapacityUnits?: number };

/** The units in a response: one report, or a list of a batch or transaction. */
export function consumedIn(response: object): number {
  const { ConsumedCapacity = [] } = response as { ConsumedCapacity?: Capacity | Capacity[] };
  return [ConsumedCapacity].flat().reduce((total, { CapacityUnits = 0 }) => total + CapacityUnits, 0);
}
