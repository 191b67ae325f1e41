import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { editedAssembly, startFixture, startFixtureIn, temporaryFolder } from './fixtures/fixture-service.ts';

test('endpoints.json says where everything is for as long as the service runs', async () => {
  const { service, stateDir } = await startFixture();
  const file = join(stateDir, 'endpoints.json');
  const { baseUrl, dynamodb, sqs } = service.endpoints;
  const secret = expect.stringMatching(/^[\w-]{43}$/);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    baseUrl,
    ...{ login: 'bars', secret, partnerId: 'bars', offerId: 'bars-of-moscow' },
    retrySpeed: 1,
    namePrefix: '',
    tableName: 'data-Table',
    dynamodb,
    sqs,
    queues: {
      'dead.fifo': `${sqs}/000000000000/fixture-dev-dead.fifo`,
      'work.fifo': `${sqs}/000000000000/fixture-dev-work.fifo`,
      plain: `${sqs}/000000000000/fixture-dev-plain`,
      lost: `${sqs}/000000000000/fixture-dev-lost`,
    },
    other: { login: 'bakery', secret, partnerId: 'bakery', offerId: 'bakery-club' },
  });
  await service.stop();
  expect(existsSync(file)).toBe(false);
});

test('a restart finds rows and messages again, a fresh start does not, and folders that share engines share no data', async () => {
  const engines = (await startFixture()).service.endpoints;
  // Without this source, no function receives from the queue.
  const assemblyDir = editedAssembly((resources) => {
    delete resources.PlainSource;
  });
  const startIn = (stateDir: string, fresh = false) => startFixtureIn(stateDir, { assemblyDir, fresh });
  const leave = async (stateDir: string) => {
    const { service, dynamodb, send } = await startIn(stateDir);
    const Item = { pk: { S: 'kept' }, sk: { S: '-' } };
    await dynamodb('PutItem', { TableName: service.endpoints.tableName, Item });
    await send('plain', 'kept');
    await service.stop();
  };
  const left = async (stateDir: string, fresh = false) => {
    const { service, dynamodb, sqs } = await startIn(stateDir, fresh);
    const { tableName: TableName, queues } = service.endpoints;
    const { Item } = await dynamodb('GetItem', { TableName, Key: { pk: { S: 'kept' }, sk: { S: '-' } } });
    const { Messages } = await sqs('ReceiveMessage', { QueueUrl: queues['plain'], VisibilityTimeout: 0 });
    await service.stop();
    return { row: Item !== undefined, message: Messages !== undefined };
  };
  const own = temporaryFolder();
  await leave(own);
  expect(await left(own)).toEqual({ row: true, message: true });
  expect(await left(own, true)).toEqual({ row: false, message: false });

  vi.stubEnv('DYNAMODB_ENDPOINT', engines.dynamodb);
  vi.stubEnv('SQS_ENDPOINT', engines.sqs);
  onTestFinished(() => void vi.unstubAllEnvs());
  const [one, other] = [temporaryFolder(), temporaryFolder()];
  await leave(one);
  expect(await left(other)).toEqual({ row: false, message: false });
  expect(await left(one)).toEqual({ row: true, message: true });
});

test('a taken port is one sentence, and nothing stays behind', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const stateDir = temporaryFolder();
  await expect(startFixtureIn(stateDir, { port })).rejects.toThrow(
    `Port ${port} is taken: stop what listens there, or choose another one with --port.`,
  );
  const { service } = await startFixtureIn(stateDir);
  await service.stop();
});
