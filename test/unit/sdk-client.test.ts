import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { connectQueue } from '../../shared/platform/queues/queue.ts';
import { callLimits } from '../../shared/platform/runtime/sdk-client.ts';
import { connectTable } from '../../shared/platform/table/table.ts';
import { stateRowsAtOnce } from '../../shared/push/message-states.ts';

type Client = {
  middlewareStack: { identify(): string[] };
  config: { maxAttempts(): Promise<number> };
};

function namesOf(client: Client): (string | undefined)[] {
  return client.middlewareStack.identify().map((line) => line.split(' ')[0]);
}

test.each<[string, number, Client, Client]>([
  ['the table', 4, new DynamoDBClient({}), connectTable('t').client],
  ['a queue', 3, new SQSClient({}), connectQueue('http://localhost/q').client],
])(
  'the client of %s makes a call %i times at most, and lacks only middleware that nothing needs',
  async (_, attempts, full, lean) => {
    expect(await lean.config.maxAttempts()).toBe(attempts);
    const kept = new Set(namesOf(lean));
    expect(namesOf(full).filter((name) => !kept.has(name))).toEqual([
      'loggerMiddleware',
      'getUserAgentMiddleware',
    ]);
  },
);

test('rows of states are written side by side without waiting for a connection', () => {
  expect(stateRowsAtOnce).toBeLessThan(callLimits.httpsAgent.maxSockets);
});
