import {
  ConditionalCheckFailedException,
  IdempotentParameterMismatchException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { createTable, dropTable } from '../../../local/engines/create-tables.ts';
import { EngineError, jsonCaller } from '../../../local/engines/json-call.ts';
import { shardReader } from '../../../local/streams/shard-reader.ts';
import type { TableModel } from '../../../local/template/service-model.ts';
import { uuidFrom } from '../../../shared/platform/runtime/ids.ts';
import type { Indexes, Row } from './table-demand.ts';

/** A row whose attributes look like `{ S: 'text' }`. */
type WireRow = Record<string, { B?: unknown; M?: WireRow }>;
type WireAttribute = { S?: string; N?: string; B?: string; M?: WireAttributes; L?: WireAttribute[] };
type WireAttributes = Record<string, WireAttribute>;

/** Members of requests and responses that are rows, lists of rows or parts of rows. */
const ofRow = /^(?:Keys?|Items?|Attributes|ExpressionAttributeValues|ExclusiveStartKey|LastEvaluatedKey)$/;

function convert(value: unknown, name: string, convertRow: (row: never) => Row): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => convert(one, name, convertRow));
  if (ofRow.test(name)) return convertRow(value as never);
  // The response to a BatchGet lists its rows by table.
  const member = (key: string) => (name === 'Responses' ? 'Items' : key);
  const members = Object.entries(value).map(([key, one]) => [key, convert(one, member(key), convertRow)]);
  return Object.fromEntries(members);
}

/** Converts binary attributes, which are base64 in JSON, also within maps. No list contains any. */
function convertBytes(row: WireRow, of: (bytes: never) => unknown): WireRow {
  const converted: WireRow = {};
  for (const [name, one] of Object.entries(row)) {
    if (one.M) converted[name] = { M: convertBytes(one.M, of) };
    else converted[name] = one.B ? { B: of(one.B as never) } : one;
  }
  return converted;
}

function withBytes(row: WireRow): WireRow {
  return convertBytes(row, (text: string) => Buffer.from(text, 'base64'));
}

function withBase64(row: WireRow): WireRow {
  return convertBytes(row, (bytes: Uint8Array) => Buffer.from(bytes).toString('base64'));
}

/** Returns what `unmarshall` of the SDK returns, in an eighth of its processor time, and decodes base64 to bytes. */
function nativeOf(attribute: WireAttribute): unknown {
  const { S: text, N: number, B: base64, M: map, L: list } = attribute;
  if (text !== undefined) return text;
  if (base64 !== undefined) return Buffer.from(base64, 'base64');
  if (map !== undefined) return rowOf(map);
  if (list !== undefined) return list.map(nativeOf);
  // Fractions, large numbers, booleans and sets are rare, so the SDK converts them.
  return Number.isSafeInteger(Number(number)) ? Number(number) : unmarshall({ it: attribute as never })['it'];
}

/** Attributes are in the order of their names: that of the engine differs from run to run. */
function rowOf(attributes: WireAttributes): Row {
  const row: Row = {};
  for (const name of Object.keys(attributes).sort()) row[name] = nativeOf(attributes[name] as WireAttribute);
  return row;
}

const { signal } = new AbortController();

type Index = { IndexName: string; KeySchema: { AttributeName: string }[] };

function indexesOf({ definition }: TableModel): Indexes {
  const indexes = (definition.GlobalSecondaryIndexes ?? []) as unknown as readonly Index[];
  const attributes = ({ KeySchema }: Index) => KeySchema.map(({ AttributeName }) => AttributeName);
  return new Map(indexes.map((index) => [index.IndexName, attributes(index)]));
}

const thrown = {
  ConditionalCheckFailedException,
  IdempotentParameterMismatchException,
  TransactionCanceledException,
};

/** Rows in errors keep the form of attributes, but with bytes instead of base64. */
function asThrownBySdk(error: unknown): unknown {
  if (!(error instanceof EngineError) || !(error.code in thrown)) return error;
  const about = {
    ...(convert(error.response, '', withBytes) as object),
    message: error.message,
    $metadata: {},
  };
  return new thrown[error.code as keyof typeof thrown](about);
}

/** Connects to the real table engine for all runs of this process. Each run has a table of its own. */
export function connectTableEngine(endpoint: string) {
  const dynamodb = jsonCaller(endpoint, 'dynamodb');
  let tables = 0;
  return {
    newTable: async (template: TableModel) => {
      tables += 1;
      const model = { ...template, name: `simulation-${tables}` };
      const { engineStreamArn } = await createTable(dynamodb, model);
      const readStream = () => shardReader(jsonCaller(endpoint, 'streams'), engineStreamArn, undefined);
      const reader = readStream();
      const past = readStream();
      const before = new Map<string, Row | undefined>();
      const changedAt = new Map<string, number>();
      const writes = new Map<string, number>();
      return {
        name: model.name,
        /** Runs a command of the document client, in a third of the processor time that the client would take. */
        call: async (operation: string, input: object): Promise<object> => {
          // The SDK's plain client writes batches, so their rows already have the form of attributes.
          const isBatch = operation === 'BatchWriteItem';
          const attributesOf = (row: Row) => marshall(row, { removeUndefinedValues: true });
          const to = (row: Row) => withBase64((isBatch ? row : attributesOf(row)) as WireRow);
          const from = (row: WireRow) => (isBatch ? withBytes(row) : rowOf(row as WireAttributes));
          try {
            // All runs share the engine, which knows the tokens of every table, and each counts its requests from 1.
            const { ClientRequestToken: token } = input as { ClientRequestToken?: string };
            const own = token === undefined ? {} : { ClientRequestToken: uuidFrom(`${model.name} ${token}`) };
            const answer = await dynamodb(operation, { ...(convert(input, '', to) as object), ...own });
            return convert(answer, '', from) as object;
          } catch (error) {
            throw asThrownBySdk(error);
          }
        },
        written: (): void => {},
        /** Maps each index to its key attributes. */
        indexes: indexesOf(template),
        /** When each row last changed, in the time of the run. */
        changedAt,
        /** Has the time at which each row was written since the stream was last read to its end. A write that changed nothing is in it, too. */
        writtenAt: new Map<string, number[]>(),
        /** Counts the writes of each row since `before` was last called. */
        writes,
        /**
         * Returns each row as it was before it last changed: nothing if it was new. A row of which some write changed nothing is taken
         * out of `changedAt`, because it is not known when it last changed.
         */
        before: async (): Promise<ReadonlyMap<string, Row | undefined>> => {
          let records: Awaited<ReturnType<typeof past.read>>;
          do {
            records = await past.read(1_000, signal);
            for (const { dynamodb } of records) {
              const { pk, sk } = rowOf(dynamodb.Keys as WireAttributes);
              writes.set(`${pk} ${sk}`, (writes.get(`${pk} ${sk}`) ?? 0) - 1);
              before.set(`${pk} ${sk}`, dynamodb.OldImage && rowOf(dynamodb.OldImage as WireAttributes));
            }
          } while (records.length > 0);
          for (const [id, left] of writes) if (left > 0) changedAt.delete(id);
          writes.clear();
          return before;
        },
        /** The time at which a transaction in progress stops blocking other writes of a row. */
        heldUntil: new Map<string, number>(),
        /** The tokens of transactions that were made. */
        madeTokens: new Set<string>(),
        /** Until when the table calls the transaction with a token in progress. */
        inProgressUntil: new Map<string, number>(),
        /** Returns the records of the stream that were not read yet. */
        changes: () => reader.read(1_000, signal),
        drop: () => dropTable(dynamodb, model),
      };
    },
  };
}

export type TableEngine = ReturnType<typeof connectTableEngine>;
export type SimulatedTable = Awaited<ReturnType<TableEngine['newTable']>>;
