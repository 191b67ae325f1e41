import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { createTable, dropTable } from '../../../local/engines/create-tables.ts';
import { EngineError, jsonCaller } from '../../../local/engines/json-call.ts';
import { createShardReader } from '../../../local/streams/shard-reader.ts';
import type { TableModel } from '../../../local/template/service-model.ts';
import type { Indexes } from './table-demand.ts';

type Row = Record<string, unknown>;
/** Attributes as `{ S: 'text' }`. */
type WireRow = Record<string, { B?: unknown; M?: WireRow }>;

/** Members of requests and answers that are rows, lists of rows or parts of them. */
const ofRow = /^(?:Keys?|Items?|Attributes|ExpressionAttributeValues|ExclusiveStartKey|LastEvaluatedKey)$/;

function convert(value: unknown, name: string, convertRow: (row: never) => Row): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => convert(one, name, convertRow));
  if (ofRow.test(name)) return convertRow(value as never);
  // The answer to a BatchGet has rows by table.
  const member = (key: string) => (name === 'Responses' ? 'Items' : key);
  const members = Object.entries(value).map(([key, one]) => [key, convert(one, member(key), convertRow)]);
  return Object.fromEntries(members);
}

/** Binary attributes are base64 in JSON, also within maps; there are none within lists. */
function convertBytes(row: WireRow, of: (bytes: never) => unknown): WireRow {
  const members = Object.entries(row).map(([name, one]) => {
    if (one.M) return [name, { M: convertBytes(one.M, of) }];
    return [name, one.B ? { B: of(one.B as never) } : one];
  });
  return Object.fromEntries(members);
}

function withBytes(row: WireRow): WireRow {
  return convertBytes(row, (text: string) => Buffer.from(text, 'base64'));
}

function withBase64(row: WireRow): WireRow {
  return convertBytes(row, (bytes: Uint8Array) => Buffer.from(bytes).toString('base64'));
}

const { signal } = new AbortController();

type Index = { IndexName: string; KeySchema: { AttributeName: string; KeyType: string }[] };

function indexesOf({ definition }: TableModel): Indexes {
  const indexes = (definition.GlobalSecondaryIndexes ?? []) as unknown as readonly Index[];
  const keyOf = ({ KeySchema }: Index) => KeySchema.find(({ KeyType }) => KeyType === 'HASH');
  return new Map(indexes.map((index) => [index.IndexName, keyOf(index)?.AttributeName ?? '']));
}

const thrown = { ConditionalCheckFailedException, TransactionCanceledException };

/** Rows in errors stay attributes, but with bytes for base64. */
function asThrownBySdk(error: unknown): unknown {
  if (!(error instanceof EngineError) || !(error.code in thrown)) return error;
  const about = {
    ...(convert(error.response, '', withBytes) as object),
    message: error.message,
    $metadata: {},
  };
  return new thrown[error.code as keyof typeof thrown](about);
}

/** The real table engine, for as many runs as this process makes; each has a table of its own. */
export function connectTableEngine(endpoint: string) {
  const dynamodb = jsonCaller(endpoint, 'dynamodb');
  let tables = 0;
  return {
    newTable: async (template: TableModel) => {
      tables += 1;
      const model = { ...template, name: `simulation-${tables}` };
      const { engineStreamArn } = await createTable(dynamodb, model);
      const reader = createShardReader(jsonCaller(endpoint, 'streams'), engineStreamArn, undefined);
      return {
        name: model.name,
        /** Does what a command of the document client says, at a third of the processor time that it takes. */
        call: async (operation: string, input: object): Promise<object> => {
          // Batches are written by the SDK's own client, with rows as attributes.
          const isBatch = operation === 'BatchWriteItem';
          const attributesOf = (row: Row) => marshall(row, { removeUndefinedValues: true });
          const to = (row: Row) => withBase64((isBatch ? row : attributesOf(row)) as WireRow);
          const from = (row: WireRow) => (isBatch ? withBytes(row) : unmarshall(withBytes(row) as never));
          try {
            const answer = await dynamodb(operation, convert(input, '', to) as object);
            return convert(answer, '', from) as object;
          } catch (error) {
            throw asThrownBySdk(error);
          }
        },
        written: (): void => {},
        /** The key attribute of each index. */
        indexes: indexesOf(template),
        putAt: new Map<string, number>(),
        /** Until when a transaction under way keeps others from writing a row. */
        heldUntil: new Map<string, number>(),
        /** What the stream has that was not read yet. */
        changes: () => reader.read(1_000, signal),
        drop: () => dropTable(dynamodb, model),
      };
    },
  };
}

export type TableEngine = ReturnType<typeof connectTableEngine>;
export type SimulatedTable = Awaited<ReturnType<TableEngine['newTable']>>;
