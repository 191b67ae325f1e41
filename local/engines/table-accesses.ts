import type { EngineResponse } from './json-call.ts';

/** A permission that a call to the table needs. */
export type Access = {
  /** `dynamodb:PutItem` */
  action: string;
  /** `<table>` or `<table>/index/<name>`. */
  resource: string;
  /** The partition keys of the call; empty where it names none. */
  rows: readonly string[];
};

/** A permission in a policy. As in our IAM policies, its only possible condition is `dynamodb:LeadingKeys`. */
export type Statement = {
  actions: readonly string[];
  /** It is compared with that of an access. The table has the name that the policy gives it, and `*` is any. */
  resource: string;
  /** Patterns of partition keys; if missing, any key and scans are allowed. */
  rows?: readonly string[];
};

export function isLike(row: string, pattern: string): boolean {
  return pattern.endsWith('*') ? row.startsWith(pattern.slice(0, -1)) : row === pattern;
}

/**
 * The statement that allows the access: one must allow all of its rows. A missing key satisfies `ForAllValues`, so a
 * statement with rows must not allow scans.
 */
export function findStatement(statements: readonly Statement[], { action, resource, rows }: Access) {
  return statements.find(
    (statement) =>
      statement.actions.includes(action) &&
      statement.resource === resource &&
      rows.every((row) => statement.rows?.some((pattern) => isLike(row, pattern)) ?? true),
  );
}

export function accessDenied(message: string): EngineResponse {
  const body = JSON.stringify({ __type: 'com.amazon.coral.service#AccessDeniedException', message });
  return { status: 400, contentType: 'application/x-amz-json-1.0', body: Buffer.from(body) };
}

type Typed = { S: string };
type Key = { pk: Typed };
type Write = { Key?: Key; Item?: Key; TableName: string };
type Input = Write & {
  IndexName?: string;
  KeyConditionExpression?: string;
  ExpressionAttributeValues?: Record<string, Typed>;
  RequestItems?: Record<string, { Keys?: Key[] } | { PutRequest?: Write; DeleteRequest?: Write }[]>;
  TransactItems?: Record<string, Write>[];
};

function listRows({ Key, Item }: Partial<Write>): string[] {
  return [Key ?? Item ?? []].flat().map(({ pk }) => pk.S);
}

/**
 * The permissions that a call of the table needs, one of which may be about several rows. A transaction needs those of its
 * writes, but none of its own.
 */
export function listAccesses(operation: string, input: Input): Access[] {
  const action = `dynamodb:${operation}`;
  const on = (resource: string, rows: string[], of = action): Access => ({ action: of, resource, rows });
  switch (operation) {
    case 'ListTables':
      return [on('*', [])];
    case 'TransactWriteItems':
      return (input.TransactItems ?? []).flatMap((item) =>
        Object.entries(item).map(([kind, write]) => {
          const of = kind === 'ConditionCheck' ? kind : `${kind}Item`;
          return on(write.TableName, listRows(write), `dynamodb:${of}`);
        }),
      );
    case 'BatchGetItem':
    case 'BatchWriteItem':
      return Object.entries(input.RequestItems ?? {}).map(([table, wanted]) => {
        const writes = Array.isArray(wanted)
          ? wanted.map((one) => one.PutRequest ?? one.DeleteRequest ?? {})
          : (wanted.Keys ?? []).map((Key) => ({ Key }));
        return on(table, writes.flatMap(listRows));
      });
    case 'Query': {
      const name = /^\w+ = (:\w+)/.exec(input.KeyConditionExpression ?? '')?.[1] ?? '';
      const row = input.ExpressionAttributeValues?.[name];
      if (!row) throw new Error(`Which rows does this query read? ${JSON.stringify(input)}`);
      return [on(input.IndexName ? `${input.TableName}/index/${input.IndexName}` : input.TableName, [row.S])];
    }
    case 'DescribeTable':
    case 'Scan':
      return [on(input.TableName, [])];
    case 'GetItem':
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return [on(input.TableName, listRows(input))];
    default:
      throw new Error(`Which permissions does ${operation} need?`);
  }
}
