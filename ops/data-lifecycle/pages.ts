import { paginateQuery, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../shared/table/table.ts';
import type { Row } from '../../shared/table/write-all.ts';
import type { CapacityMeter } from './capacity-meter.ts';

/**
 * All rows of the table, or those of one partition, in pages of up to 1 MB, strongly consistent. Only an operator's
 * credentials may Scan; no function has the right.
 */
export async function* pagesOf(
  { client, name: TableName }: Table,
  { throttle }: CapacityMeter,
  partition?: string,
): AsyncGenerator<Row[]> {
  const read = { TableName, ConsistentRead: true };
  const pages =
    partition === undefined
      ? paginateScan({ client }, read)
      : paginateQuery(
          { client },
          {
            ...read,
            KeyConditionExpression: 'pk = :pk',
            ExpressionAttributeValues: { ':pk': partition },
          },
        );
  for await (const { Items = [] } of pages) {
    yield Items as Row[];
    await throttle();
  }
}
