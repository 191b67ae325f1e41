import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

/** What a function costs that only reads one row: the SDK and nothing else. */
export async function handler() {
  const { Item } = await client.send(
    new GetCommand({ TableName: process.env['TABLE_NAME'], Key: { pk: 'NOTHING', sk: 'NOTHING' } }),
  );
  return { statusCode: 200, body: JSON.stringify(Item ?? {}) };
}
