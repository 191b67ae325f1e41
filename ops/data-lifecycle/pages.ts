import { QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Key } from '../../shared/table/keys.ts';
import type { Table } from '../../shared/table/table.ts';
import type { Row } from '../../shared/table/write-all.ts';
import type { Meter } from './meter.ts';

/**
 * All rows of the table, or those of one partition, in pages of up to 1 MB, strongly consistent. An operator's
 * credentials alone may Scan; no function has the right.
 */
export async function* pagesOf(table: Table, { rest }: Meter, partition?: string): AsyncGenerator<Row[]> {
  let from: Key | undefined;
  do {
    const ask = {
      TableName: table.name,
      ConsistentRead: true,
      ...(from ? { ExclusiveStartKey: from } : {}),
    };
    const { Items = [], LastEvaluatedKey } = await (partition === undefined
      ? table.client.send(new ScanCommand(ask))
      : table.client.send(
          new QueryCommand({
            ...ask,
            KeyConditionExpression: 'pk = :pk',
            ExpressionAttributeValues: { ':pk': partition },
          }),
        ));
    yield Items as Row[];
    await rest();
    from = LastEvaluatedKey as Key | undefined;
  } while (from);
}
