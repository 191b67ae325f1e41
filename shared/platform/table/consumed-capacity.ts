/** The operations that report what they consumed, on request. */
const kinds: Readonly<Record<string, 'read' | 'write'>> = {
  GetItem: 'read',
  BatchGetItem: 'read',
  Query: 'read',
  Scan: 'read',
  TransactGetItems: 'read',
  PutItem: 'write',
  UpdateItem: 'write',
  DeleteItem: 'write',
  BatchWriteItem: 'write',
  TransactWriteItems: 'write',
};

/** Which units `PutItem` consumes; `undefined` for an operation that reports none. */
export function unitsOf(operation: string): 'read' | 'write' | undefined {
  return kinds[operation];
}

type Capacity = { CapacityUnits?: number };

/** The units in a response: one report, or a list of a batch or transaction. */
export function consumedIn(response: object): number {
  const { ConsumedCapacity = [] } = response as { ConsumedCapacity?: Capacity | Capacity[] };
  return [ConsumedCapacity].flat().reduce((total, { CapacityUnits = 0 }) => total + CapacityUnits, 0);
}
