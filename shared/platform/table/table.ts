import {
  DynamoDBClient,
  type DynamoDBClientConfig,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { systemClock } from '../runtime/clock.ts';
import { readEnv } from '../runtime/env.ts';
import { abortingInTime, callLimits, trimMiddleware } from '../runtime/sdk-client.ts';

/** The one table and its client. Tests pass a client that counts units. */
export type Table = { client: DynamoDBDocumentClient; name: string };

/** Marks conflicts for the SDK to repeat: a transaction that a single write meets at its row takes milliseconds. */
function repeatingConflicts(client: DynamoDBClient): DynamoDBClient {
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        if (error instanceof TransactionConflictException) Object.assign(error, { $retryable: {} });
        throw error;
      }
    },
    { step: 'deserialize', priority: 'high', name: 'repeatingConflicts' },
  );
  return client;
}

/** A call that gets no response in time is made again, 4 tries in all. */
export function connectTable(name: string, config: DynamoDBClientConfig = {}): Table {
  return {
    name,
    client: abortingInTime(
      DynamoDBDocumentClient.from(
        trimMiddleware(
          repeatingConflicts(
            new DynamoDBClient({
              maxAttempts: 4,
              requestHandler: callLimits,
              ...config,
            }),
          ),
        ),
        { marshallOptions: { removeUndefinedValues: true } },
      ),
    ),
  };
}

/** Connects to an engine on this machine, which requires credentials and does not check them. */
export function connectLocalTable(name: string, endpoint: string): Table {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  return connectTable(name, { endpoint, region: 'eu-central-1', credentials });
}

/** Functions that make stores, by the names that the stores get. */
export type Stores = Record<string, (table: Table) => unknown>;

/** The dependencies of a deployed function: the clock, and the named stores on its table. */
export function tableDeps<Made extends Stores>(stores: Made) {
  const table = connectTable(readEnv('TABLE_NAME'));
  const entries = Object.entries(stores).map(([name, store]) => [name, store(table)]);
  const made = Object.fromEntries(entries) as { [Name in keyof Made]: ReturnType<Made[Name]> };
  return { clock: systemClock, ...made };
}
