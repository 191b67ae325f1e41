import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DeleteCommandInput,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  paginateQuery,
  QueryCommand,
  type QueryCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
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
export type DuePage = {
  size: number;
  sinceMs?: number;
  from?: Query['ExclusiveStartKey'];
  lastFirst?: boolean;
};

/** Rows of a shard of the index `due` with a time from `sinceMs` up to `untilMs`, the earliest first. */
export async function queryDue(table: Table, dueShard: string, untilMs: number, page: DuePage) {
  const { rows, next } = await queryPage(table, {
    IndexName: 'due',
    KeyConditionExpression: 'dueShard = :shard AND dueAt BETWEEN :since AND :until',
    ExpressionAttributeValues: { ':shard': dueShard, ':since': page.sinceMs ?? 0, ':until': untilMs },
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
 * Every row of a query, page by page, by strongly consistent reads. A pause `afterPage`, before the next one, leaves
 * units of the partition to others: a page of 1 MB takes 256 of 3,000 a second.
 */
export async function* queryRows(
  table: Table,
  query: Omit<Query, 'ConsistentRead'>,
  afterPage?: () => Promise<void>,
): AsyncGenerator<Row> {
  const input = { TableName: table.name, ConsistentRead: true, ...query };
  for await (const { Items = [], LastEvaluatedKey } of paginateQuery({ client: table.client }, input)) {
    yield* Items;
    if (LastEvaluatedKey) await afterPage?.();
  }
}

/**
 * Whether a conditional write was applied. When not, `row` is the row that failed the condition, if there is one;
 * otherwise what the write asked for by `ReturnValues`.
 */
export type Conditional = { applied: boolean; row?: Row | undefined };

/** A write with a condition: everything of the command but the table's name. */
type Write<Input> = Omit<Input, 'TableName'> & { ConditionExpression: string };

/** A failed write returns the row, which costs nothing. */
export const returned = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

export function putIf({ client, name }: Table, write: Write<PutCommandInput>): Promise<Conditional> {
  return conditional(client.send(new PutCommand({ TableName: name, ...returned, ...write })));
}

/** Writes a row that does not exist yet. Returns the existing row if there is one, and leaves it as it is. */
export async function createRow(table: Table, Item: Row): Promise<Row | undefined> {
  const put = await putIf(table, { Item, ConditionExpression: 'attribute_not_exists(pk)' });
  return put.applied ? undefined : (put.row ?? Item);
}

export function updateIf({ client, name }: Table, write: Write<UpdateCommandInput>): Promise<Conditional> {
  return conditional(client.send(new UpdateCommand({ TableName: name, ...returned, ...write })));
}

export function deleteIf({ client, name }: Table, write: Write<DeleteCommandInput>): Promise<Conditional> {
  return conditional(client.send(new DeleteCommand({ TableName: name, ...returned, ...write })));
}

/** Turns a failed condition into a value; any other failure stays an exception. */
async function conditional(write: Promise<{ Attributes?: Row | undefined }>): Promise<Conditional> {
  try {
    return { applied: true, row: (await write).Attributes };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { applied: false, row: error.Item && unmarshall(error.Item) };
  }
}

/** `set` removes attributes that are null, and leaves undefined ones alone. `add` is added to numbers. */
export type Update = { set?: Row; setIfAbsent?: Row; add?: Record<string, number> };

export function updateExpression({ set = {}, setIfAbsent = {}, add = {} }: Update) {
  const assigned = Object.keys(set).filter((name) => set[name] !== undefined && set[name] !== null);
  const removed = Object.keys(set).filter((name) => set[name] === null);
  const added = Object.keys(add);
  const absent = Object.keys(setIfAbsent);
  const assignments = [
    ...assigned.map((name) => `#${name} = :${name}`),
    ...absent.map((name) => `#${name} = if_not_exists(#${name}, :${name})`),
  ];
  const values: Row = { ...set, ...setIfAbsent, ...add };
  const valued = [...assigned, ...absent, ...added];
  const clauses = [
    ...(assignments.length > 0 ? [`SET ${assignments}`] : []),
    ...(removed.length > 0 ? [`REMOVE ${removed.map((name) => `#${name}`)}`] : []),
    ...(added.length > 0 ? [`ADD ${added.map((name) => `#${name} :${name}`)}`] : []),
  ];
  return {
    UpdateExpression: clauses.join(' '),
    // DynamoDB reserves words such as `name` and `status`: with an alias for every attribute there is no list to keep.
    ExpressionAttributeNames: mapped([...removed, ...valued], (name) => [`#${name}`, name]),
    ExpressionAttributeValues: mapped(valued, (name) => [`:${name}`, values[name]]),
  };
}

/** The condition that a row still has the values `seen`, and lacks the undefined ones. */
export function still(seen: Row) {
  const names = Object.keys(seen);
  const has = (name: string) => seen[name] !== undefined;
  const conditions = names.map((name) =>
    has(name) ? `#${name} = :seen_${name}` : `attribute_not_exists(#${name})`,
  );
  return {
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: mapped(names, (name) => [`#${name}`, name]),
    // DynamoDB refuses an empty map of values.
    ...(names.some(has)
      ? { ExpressionAttributeValues: mapped(names.filter(has), (name) => [`:seen_${name}`, seen[name]]) }
      : {}),
  };
}

/** Updates a row that still has the values `seen`. */
export function updateIfStill(seen: Row, update: Update) {
  const change = updateExpression(update);
  const condition = still(seen);
  return {
    ...change,
    ...condition,
    ExpressionAttributeNames: { ...change.ExpressionAttributeNames, ...condition.ExpressionAttributeNames },
    ExpressionAttributeValues: {
      ...change.ExpressionAttributeValues,
      ...condition.ExpressionAttributeValues,
    },
  };
}

function mapped<Value>(names: readonly string[], entry: (name: string) => [string, Value]) {
  return Object.fromEntries(names.map(entry));
}

/** Whether the row has not expired: the table deletes expired rows some time later. */
export function isRowKept({ expiresAt }: { expiresAt: number }, nowMs: number): boolean {
  return expiresAt * 1_000 > nowMs;
}
