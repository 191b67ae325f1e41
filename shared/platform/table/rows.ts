import {
  DeleteCommand,
  GetCommand,
  PutCommand,
  paginateQuery,
  QueryCommand,
  type QueryCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { waitAbout } from '../runtime/backoff.ts';
import type { RowKey } from './row-keys/row-key.ts';
import type { Table } from './table.ts';

type Row = Record<string, unknown>;

/** The row as the last write left it; if not `consistent`, as it was a moment ago, at half the price. */
export async function readRow(
  table: Table,
  key: RowKey,
  { consistent = true } = {},
): Promise<Row | undefined> {
  const command = new GetCommand({ TableName: table.name, Key: key, ConsistentRead: consistent });
  return (await table.client.send(command)).Item;
}

export async function rowExists(table: Table, key: RowKey): Promise<boolean> {
  const read = { TableName: table.name, Key: key, ConsistentRead: true, ProjectionExpression: 'pk' };
  return (await table.client.send(new GetCommand(read))).Item !== undefined;
}

/** Writes the row, whatever was there. */
export async function putRow(table: Table, row: RowKey & Row): Promise<void> {
  await table.client.send(new PutCommand({ TableName: table.name, Item: row }));
}

/** Deletes the row, if it is there. */
export async function deleteRow(table: Table, key: RowKey): Promise<void> {
  await table.client.send(new DeleteCommand({ TableName: table.name, Key: key }));
}

/** Updates the row, whatever was there. */
export function updateRow(table: Table, update: Omit<UpdateCommandInput, 'TableName'>) {
  return table.client.send(new UpdateCommand({ TableName: table.name, ...update }));
}

export type Query = Omit<QueryCommandInput, 'TableName'>;

/** One page of a query, 1 MB at most. There may be more rows if it has a `next`. */
export async function queryPage(table: Table, query: Query) {
  const page = await table.client.send(new QueryCommand({ TableName: table.name, ...query }));
  return { rows: page.Items ?? [], next: page.LastEvaluatedKey };
}

const DueRow = z.object({ pk: z.string(), sk: z.string(), dueAt: z.number() });

/** A row as the index `due` shows it, which may be a moment out of date. */
export type DueRow = z.infer<typeof DueRow>;
export type DuePage = { size: number; from?: Query['ExclusiveStartKey']; lastFirst?: boolean };

/** Rows of a shard of the index `due` with a time up to `untilMs`, the earliest first. */
export async function queryDue(table: Table, dueShard: string, untilMs: number, page: DuePage) {
  const { rows, next } = await queryPage(table, {
    IndexName: 'due',
    KeyConditionExpression: 'dueShard = :shard AND dueAt <= :until',
    ExpressionAttributeValues: { ':shard': dueShard, ':until': untilMs },
    ScanIndexForward: !page.lastFirst,
    Limit: page.size,
    ExclusiveStartKey: page.from,
  });
  return { rows: z.array(DueRow).parse(rows), next };
}

/** The rows of a partition as far as one page has them, by a strongly consistent read unless `query` says otherwise. */
export async function readPartition(table: Table, pk: string, query: Partial<Query> = {}): Promise<Row[]> {
  return (await queryPage(table, { ConsistentRead: true, ...inPartition(pk), ...query })).rows;
}

/** The condition of a query for all rows of a partition. */
export function inPartition(pk: string) {
  return { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } };
}

/**
 * Every row of a query, page by page, by strongly consistent reads. `pauseMs` after each page leaves units of the
 * partition to others: a page of 1 MB takes 256 of 3,000 a second.
 */
export async function* queryRows(
  table: Table,
  query: Omit<Query, 'ConsistentRead'>,
  { pauseMs = 0 } = {},
): AsyncGenerator<Row> {
  const input = { TableName: table.name, ConsistentRead: true, ...query };
  for await (const { Items = [], LastEvaluatedKey } of paginateQuery({ client: table.client }, input)) {
    yield* Items;
    if (LastEvaluatedKey) await waitAbout(pauseMs);
  }
}
