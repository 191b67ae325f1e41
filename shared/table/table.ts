import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** The one table and the client to it. Tests pass a client of their own that counts units. */
export type Table = { client: DynamoDBDocumentClient; name: string };

/**
 * A call that has not connected in 2 s or answered in 5 s is given up and tried again, 4 tries in all: a
 * healthy table answers in milliseconds, and the longest caller has 29 s.
 */
export function connectTable(name: string): Table {
  return {
    name,
    client: DynamoDBDocumentClient.from(
      new DynamoDBClient({
        maxAttempts: 4,
        requestHandler: {
          // Waiting for a free connection counts as connecting.
          connectionTimeout: 2_000,
          requestTimeout: 5_000,
          throwOnRequestTimeout: true,
          httpsAgent: { keepAlive: true, maxSockets: 100 },
          httpAgent: { keepAlive: true, maxSockets: 100 },
        },
      }),
      { marshallOptions: { removeUndefinedValues: true } },
    ),
  };
}
