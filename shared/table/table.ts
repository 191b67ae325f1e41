import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** The one table and the client to it. Tests pass a client of their own that counts units. */
export type Table = { client: DynamoDBDocumentClient; name: string };

/**
 * A call that has not connected in 1 s or answered in 5 s is given up and tried again, 4 tries in all: a
 * healthy table answers in milliseconds, and the longest caller has 29 s.
 */
export const connectTable = (name: string): Table => ({
  name,
  client: DynamoDBDocumentClient.from(
    new DynamoDBClient({
      maxAttempts: 4,
      requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
    }),
    { marshallOptions: { removeUndefinedValues: true } },
  ),
});
