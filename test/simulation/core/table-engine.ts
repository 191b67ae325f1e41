import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { createTable, dropTable } from '../../../local/engines/create-tables.ts';
import { EngineError, jsonCaller } from '../../../local/engines/json-call.ts';
import { createShardReader } from '../../../local/streams/shard-reader.ts';
import type { TableModel } from '../../../local/template/tables.ts';
import { attributesFromWire, attributesToWire, fromWire, toWire } from './table-wire.ts';

const { signal } = new AbortController();

function thrownBySdk(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error;
  const { code, message, response } = error;
  const about = { ...attributesFromWire(response), message, $metadata: {} };
  if (code === 'ConditionalCheckFailedException') return new ConditionalCheckFailedException(about);
  if (code === 'TransactionCanceledException') return new TransactionCanceledException(about);
  return error;
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
          try {
            if (operation === 'BatchWriteItem') {
              return attributesFromWire(await dynamodb(operation, attributesToWire(input)));
            }
            return fromWire(await dynamodb(operation, toWire(input)));
          } catch (error) {
            throw thrownBySdk(error);
          }
        },
        /** Is called after each write. */
        written: (): void => {},
        /** When rows were put. */
        putAt: new Map<string, number>(),
        /** What the stream has that was not read yet. */
        changes: () => reader.read(1_000, signal),
        drop: () => dropTable(dynamodb, model),
      };
    },
  };
}

export type TableEngine = ReturnType<typeof connectTableEngine>;
export type SimulatedTable = Awaited<ReturnType<TableEngine['newTable']>>;
