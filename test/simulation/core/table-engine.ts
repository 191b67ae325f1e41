import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTable, dropTable } from '../../../local/engines/create-tables.ts';
import { callHeaders, jsonCaller } from '../../../local/engines/json-call.ts';
import { createShardReader } from '../../../local/streams/shard-reader.ts';
import { account } from '../../../local/template/account.ts';
import type { TableModel } from '../../../local/template/tables.ts';
import { leanClient } from '../../../shared/runtime/lean-client.ts';

const { signal } = new AbortController();

/** The real table engine, for as many runs as this process makes; each has a table of its own. */
export function connectTableEngine(endpoint: string) {
  const dynamodb = jsonCaller(endpoint, 'dynamodb');
  // The engine does not check signatures, and real ones take a third of the processor time.
  const signer = {
    sign: async (request: object) => {
      const headers = { ...callHeaders('dynamodb', ''), ...(request as { headers?: object }).headers };
      return Object.assign(request, { headers });
    },
  };
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = leanClient(
    new DynamoDBClient({ endpoint, region: account.region, credentials, signer: signer as never }),
  );
  let tables = 0;
  return {
    newTable: async (template: TableModel) => {
      tables += 1;
      const model = { ...template, name: `simulation-${tables}` };
      const { engineStreamArn } = await createTable(dynamodb, model);
      const reader = createShardReader(jsonCaller(endpoint, 'streams'), engineStreamArn, undefined);
      return {
        name: model.name,
        client,
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
