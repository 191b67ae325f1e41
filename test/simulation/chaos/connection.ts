import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { type Call, jsonCaller } from '../../../local/engines/json-call.ts';
import type { Endpoints } from '../../../local/service.ts';
import { account } from '../../../local/template/account.ts';
import { kindOf, type RowKindName } from '../../../shared/table/row-kinds.ts';
import type { Table } from '../../../shared/table/table.ts';

export type Row = Record<string, unknown> & { pk: string; sk: string };

/** The running service, and a connection to its engines without faults, from which the ledger is read. */
export interface Connection {
  readonly baseUrl: string;
  readonly table: Table;
  readonly sqs: Call;
  readonly sqsEndpoint: string;
  readonly queues: Readonly<Record<string, string>>;
  /** Every row whose partition key begins with one of these. */
  rows(...prefixes: string[]): Promise<Row[]>;
  rowsOf(...kinds: RowKindName[]): Promise<Row[]>;
  close(): void;
}

export function connect(endpoints: Endpoints): Connection {
  const { baseUrl, sqs: sqsEndpoint, queues, tableName: name } = endpoints;
  const client = new DynamoDBClient({
    endpoint: endpoints.dynamodb,
    region: account.region,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const table = { client: DynamoDBDocumentClient.from(client), name };
  const rowsThat = async (isWanted: (row: Row) => boolean) => {
    const found: Row[] = [];
    const pages = paginateScan({ client: table.client }, { TableName: name, ConsistentRead: true });
    for await (const { Items = [] } of pages) found.push(...(Items as Row[]).filter(isWanted));
    return found;
  };
  return {
    baseUrl,
    table,
    sqs: jsonCaller(sqsEndpoint, 'sqs'),
    sqsEndpoint,
    queues,
    rows: (...prefixes) => rowsThat(({ pk }) => prefixes.some((prefix) => pk.startsWith(prefix))),
    rowsOf: (...kinds) => rowsThat((row) => kinds.includes(kindOf(row).kind.name)),
    close: () => client.destroy(),
  };
}
