import { randomUUID } from 'node:crypto';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import { type ConsumedUnits, countUnits } from '../../ops/data-lifecycle/capacity-meter.ts';
import { connectTable, type Table } from '../../shared/platform/table/table.ts';
import { engineAccess } from './engine-access.ts';

export type TestTable = Table & {
  /** Returns the units consumed since the last call. */
  units: () => ConsumedUnits;
  /** Returns every row, so that tests can see what was written. */
  rows: () => Promise<Record<string, unknown>[]>;
};

/** Creates a table with the keys of the real one, on the shared engine. Its client is that of deployed functions. */
export async function newTable(): Promise<TestTable> {
  const name = `table-${randomUUID()}`;
  const { client } = connectTable(name, { ...engineAccess, endpoint: inject('dynamodbEndpoint') });
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
        { AttributeName: 'dueShard', AttributeType: 'S' },
        { AttributeName: 'dueAt', AttributeType: 'N' },
        { AttributeName: 'listedShard', AttributeType: 'S' },
        { AttributeName: 'changedAt', AttributeType: 'N' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'due',
          KeySchema: [
            { AttributeName: 'dueShard', KeyType: 'HASH' },
            { AttributeName: 'dueAt', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
        {
          IndexName: 'listed',
          KeySchema: [
            { AttributeName: 'listedShard', KeyType: 'HASH' },
            { AttributeName: 'changedAt', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['expiresAt'] },
        },
      ],
    }),
  );
  const rows = async () => {
    const found: Record<string, unknown>[] = [];
    const all = paginateScan({ client }, { TableName: name, ConsistentRead: true });
    for await (const { Items = [] } of all) found.push(...Items);
    return found;
  };
  const consumed = countUnits({ client });
  const units = () => {
    const sinceLastCall = { ...consumed };
    Object.assign(consumed, { read: 0, write: 0, calls: 0 });
    return sinceLastCall;
  };
  return { client, name, units, rows };
}
