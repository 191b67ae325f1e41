import { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Endpoints } from '../../local/service.ts';
import { account } from '../../local/template/account.ts';
import type { ListedPlace } from '../place-list.ts';

const batchSize = 25;
const batchesAtOnce = 8;

/** The naive way: every place is written, whether it changed or not. Seconds. */
export async function writePlainly(
  { dynamodb, tableName }: Endpoints,
  places: readonly ListedPlace[],
): Promise<number> {
  const client = new DynamoDBClient({
    endpoint: dynamodb,
    region: account.region,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const startedAt = performance.now();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < places.length) {
      const batch = places.slice(next, next + batchSize);
      next += batchSize;
      const requests = batch.map(({ itemId, placeInfo }) => ({
        PutRequest: { Item: marshall({ pk: 'PLAIN#bench', sk: itemId, place: JSON.stringify(placeInfo) }) },
      }));
      const { UnprocessedItems = {} } = await client.send(
        new BatchWriteItemCommand({ RequestItems: { [tableName]: requests } }),
      );
      if (Object.keys(UnprocessedItems).length > 0) throw new Error('the engine left items unprocessed');
    }
  };
  await Promise.all(Array.from({ length: batchesAtOnce }, lane));
  client.destroy();
  return (performance.now() - startedAt) / 1_000;
}
