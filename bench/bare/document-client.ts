import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

/** The baseline for cold starts: reads one row with the SDK and does nothing else. */
export async function handler() {
  const { Item } = await client.send(
    new GetCommand({ TableName: process.env['TABLE_NAME'], Key: { pk: 'NOTHING', sk: 'NOTHING' } }),
  );
  return { statusCode: 200, body: JSON.stringify(Item ?? {}) };
}
