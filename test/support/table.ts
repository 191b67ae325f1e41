import { randomUUID } from 'node:crypto';
import { CreateTableCommand, type CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import { type ConsumedUnits, countUnits } from '../../ops/data-lifecycle/capacity-meter.ts';
import { type Row, writeAll } from '../../shared/platform/table/batches.ts';
import { connectTable, type Table } from '../../shared/platform/table/table.ts';
import { engineAccess } from './engine-access.ts';
import { interceptCalls } from './intercept-calls.ts';

export type TestTable = Table & {
  /** Returns the units consumed since the last call. */
  units: () => ConsumedUnits;
  /** Returns every row, or those whose partition keys begin so, so that tests can see what was written. */
  rows: (under?: string) => Promise<Record<string, unknown>[]>;
};

type Definition = Omit<CreateTableCommandInput, 'TableName' | 'BillingMode' | 'KeySchema'>;

/** The indexes of the real table, which a test of the template compares with it. */
export const secondaryIndexes = [
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
] satisfies CreateTableCommandInput['GlobalSecondaryIndexes'];

async function createTable(client: Table['client'], name: string, more: Definition): Promise<void> {
  const { AttributeDefinitions = [] } = more;
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      ...more,
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
        ...AttributeDefinitions,
      ],
    }),
  );
}

/**
 * Copies every row as it is now to a table of its own, as point-in-time recovery would: without indexes, time to live,
 * and usually a stream.
 */
export async function copyTable(table: Table, name: string, { stream = false } = {}): Promise<Table> {
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' as const };
  await createTable(table.client, name, stream ? { StreamSpecification } : {});
  const copy = { client: table.client, name };
  await writeAll(
    copy,
    (await rowsOf(table)).map((put) => ({ put })),
  );
  return copy;
}

export async function rowsOf({ client, name }: Table): Promise<Row[]> {
  const found: Row[] = [];
  const all = paginateScan({ client }, { TableName: name, ConsistentRead: true });
  for await (const { Items = [] } of all) found.push(...(Items as Row[]));
  return found;
}

/** Returns the rows of a BatchGetItem in another order than they were asked for, as DynamoDB may. */
function outOfOrder(client: Table['client']): void {
  interceptCalls(client, async ({ name }, make) => {
    const output: { Responses?: Record<string, unknown[]> } = await make();
    if (name === 'BatchGetItemCommand')
      for (const rows of Object.values(output.Responses ?? {})) rows.reverse();
    return output;
  });
}

/** Creates a table with the keys of the real one, on the shared engine. Its client is that of deployed functions. */
export async function newTable(name = `table-${randomUUID()}`): Promise<TestTable> {
  const { client } = connectTable(name, { ...engineAccess, endpoint: inject('dynamodbEndpoint') });
  await createTable(client, name, {
    AttributeDefinitions: [
      { AttributeName: 'dueShard', AttributeType: 'S' },
      { AttributeName: 'dueAt', AttributeType: 'N' },
      { AttributeName: 'listedShard', AttributeType: 'S' },
      { AttributeName: 'changedAt', AttributeType: 'N' },
    ],
    GlobalSecondaryIndexes: secondaryIndexes,
  });
  outOfOrder(client);
  const consumed = countUnits({ client });
  const units = () => {
    const sinceLastCall = { ...consumed };
    Object.assign(consumed, { read: 0, write: 0, calls: 0 });
    return sinceLastCall;
  };
  const rows = async (under = '') =>
    (await rowsOf({ client, name })).filter(({ pk }) => pk.startsWith(under));
  return { client, name, units, rows };
}
