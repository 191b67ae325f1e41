import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import type { Demand } from './capacity.ts';

export type Row = Record<string, unknown>;
type Attribute = { S?: string; N?: string };
type Write = { Key?: Row; Item?: Row; UpdateExpression?: string };
type Get = { Keys: readonly Row[]; ConsistentRead?: boolean };
type BatchItem = { PutRequest?: Write; DeleteRequest?: Write };
export type Batch = Readonly<Record<string, readonly BatchItem[] | Get>>;

/** The input of any command of the document client that the service uses. */
export type TableInput = Write & {
  IndexName?: string;
  ConsistentRead?: boolean;
  ScanIndexForward?: boolean;
  Limit?: number;
  ExclusiveStartKey?: Row;
  KeyConditionExpression?: string;
  ExpressionAttributeNames?: Readonly<Record<string, string>>;
  ExpressionAttributeValues?: Row;
  RequestItems?: Batch;
  TransactItems?: readonly Readonly<Record<string, Write & TableInput>>[];
  ClientRequestToken?: string;
};

/** The response to any such command. */
export type TableAnswer = {
  Item?: Row | undefined;
  Items?: Row[];
  LastEvaluatedKey?: Row | undefined;
  Responses?: Record<string, Row[]>;
  ConsumedCapacity?: ConsumedCapacity | readonly ConsumedCapacity[];
};

/** One row or one partition that a call reads or writes, and the action (`PutItem`) that it needs for that. */
export type Touch = Demand & {
  action: string;
  id?: string;
  /** When the row expires, in seconds: never if it is put without an end, and unknown if the write does not change that. */
  expiresAt?: number | undefined;
  index?: readonly Demand[];
};

/** Maps each index to the attributes that are its partition and its sort key. */
export type Indexes = ReadonlyMap<string, readonly string[]>;

/** In batches of writes, attributes look like `{ S: 'text' }`. */
function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? String((value as Attribute).S) : String(value);
}

/** Returns the partitions of indexes into which a write puts its row. */
function indexDemands(write: TableInput, indexes: Indexes): Demand[] {
  return [...indexes].flatMap(([of, [attribute = '']]) => {
    const names = write.ExpressionAttributeNames ?? {};
    const alias = Object.keys(names).find((name) => names[name] === attribute) ?? attribute;
    const [, value = ''] = new RegExp(`${alias} = (:\\w+)`).exec(write.UpdateExpression ?? '') ?? [];
    const partition = write.Item?.[attribute] ?? write.ExpressionAttributeValues?.[value];
    return partition === undefined ? [] : [{ kind: 'write' as const, of, partition: textOf(partition) }];
  });
}

function written(action: string, write: TableInput, indexes: Indexes): Touch {
  const { pk, sk } = write.Key ?? write.Item ?? {};
  const partition = textOf(pk);
  const id = `${partition} ${textOf(sk)}`;
  const ends = write.Item?.['expiresAt'] ?? write.ExpressionAttributeValues?.[':expiresAt'];
  const never = write.Item ? Number.POSITIVE_INFINITY : undefined;
  const expiresAt = ends === undefined ? never : Number((ends as Attribute).N ?? ends);
  return {
    kind: 'write',
    of: 'table',
    partition,
    action,
    id,
    expiresAt,
    index: indexDemands(write, indexes),
  };
}

function ofBatch(name: string, batch: Batch, indexes: Indexes): Touch[] {
  const read = (row: Row): Touch => {
    return { kind: 'read', of: 'table', partition: textOf(row['pk']), action: `${name}Item` };
  };
  const write = ({ PutRequest, DeleteRequest }: BatchItem): Touch =>
    written(`${name}Item`, PutRequest ?? DeleteRequest ?? {}, indexes);
  return Object.values(batch).flatMap((wanted) =>
    'Keys' in wanted ? wanted.Keys.map(read) : wanted.map(write),
  );
}

/** Returns the partitions that a command reads and writes, in the order of its rows, and the permissions it needs. */
export function touchesOf(name: string, input: TableInput, indexes: Indexes): Touch[] {
  if (input.RequestItems) return ofBatch(name.replace('Item', ''), input.RequestItems, indexes);
  if (input.TransactItems)
    return input.TransactItems.flatMap((item) =>
      Object.entries(item).map(([kind, write]) =>
        written(kind === 'ConditionCheck' ? 'ConditionCheckItem' : `${kind}Item`, write, indexes),
      ),
    );
  if (name === 'Query') {
    const [, value = ''] = /\w+ = (:\w+)/.exec(input.KeyConditionExpression ?? '') ?? [];
    const partition = textOf(input.ExpressionAttributeValues?.[value]);
    return [{ kind: 'read', of: input.IndexName ?? 'table', partition, action: 'Query' }];
  }
  if (name === 'Get')
    return [{ kind: 'read', of: 'table', partition: textOf(input.Key?.['pk']), action: 'GetItem' }];
  return [written(`${name}Item`, input, indexes)];
}
