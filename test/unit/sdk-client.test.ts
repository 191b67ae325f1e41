import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { connectQueue } from '../../shared/platform/queues/queue.ts';
import { connectTable } from '../../shared/platform/table/table.ts';

type Client = { middlewareStack: { identify(): string[] } };

function namesOf(client: Client): (string | undefined)[] {
  return client.middlewareStack.identify().map((line) => line.split(' ')[0]);
}

test.each<[string, Client, Client]>([
  ['the table', new DynamoDBClient({}), connectTable('t').client],
  ['a queue', new SQSClient({}), connectQueue('http://localhost/q').client],
])('the client of %s lacks only the middleware that nothing needs', (_, full, lean) => {
  const kept = new Set(namesOf(lean));
  expect(namesOf(full).filter((name) => !kept.has(name))).toEqual([
    'loggerMiddleware',
    'getUserAgentMiddleware',
  ]);
});
