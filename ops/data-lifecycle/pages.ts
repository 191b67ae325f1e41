import { paginateQuery, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../shared/platform/table/table.ts';
import type { Row } from '../../shared/platform/table/write-all.ts';
import type { CapacityMeter } from './capacity-meter.ts';

/**
 * Reads the table, or one partition, in strongly consistent pages of up to 1 MB. Only operators may Scan; no function
 * has the right.
 */
export async function* pagesOf(
  { client, name: TableName }: Table,
  { throttle }: CapacityMeter,
  partition?: string,
): AsyncGenerator<Row[]> {
  const all = { TableName, ConsistentRead: true };
  const inPartition = {
    ...all,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': partition },
  };
  const pages =
    partition === undefined ? paginateScan({ client }, all) : paginateQuery({ client }, inPartition);
  for await (const { Items = [] } of pages) {
    yield Items as Row[];
    await throttle();
  }
}
