import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { type Row, writeAll } from '../../shared/platform/table/batches.ts';
import type { RowKey } from '../../shared/platform/table/row-keys/row-key.ts';
import type { Table } from '../../shared/platform/table/table.ts';

/** Creates a table with the keys of the real one. Like a restored table, it has no time to live, and usually no stream. */
export async function createPlainTable(
  client: Table['client'],
  name: string,
  { stream = false } = {},
): Promise<Table> {
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
      ],
      ...(stream
        ? { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' as const } }
        : {}),
    }),
  );
  return { client, name };
}

export async function rowsOf({ client, name }: Table): Promise<Row[]> {
  const rows: Row[] = [];
  let from: RowKey | undefined;
  do {
    const page = await client.send(
      new ScanCommand({
        TableName: name,
        ConsistentRead: true,
        ...(from ? { ExclusiveStartKey: from } : {}),
      }),
    );
    rows.push(...((page.Items ?? []) as Row[]));
    from = page.LastEvaluatedKey as RowKey | undefined;
  } while (from);
  return rows;
}

/** Copies every row as it is now to a table of its own, as point-in-time recovery would. */
export async function copyTable(table: Table, name: string, options?: { stream: boolean }): Promise<Table> {
  const copy = await createPlainTable(table.client, name, options);
  const rows = await rowsOf(table);
  await writeAll(
    copy,
    rows.map((put) => ({ put })),
  );
  return copy;
}
