import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  editedAssembly,
  row,
  startFixture,
  startFixtureIn,
  temporaryFolder,
} from './fixtures/fixture-service.ts';

async function portTaken(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as { port: number }).port;
}

test('endpoints.json says where everything is for as long as the service runs', async () => {
  const { service, stateDir } = await startFixture();
  const file = join(stateDir, 'endpoints.json');
  const { baseUrl, dynamodb, sqs } = service.endpoints;
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    baseUrl,
    login: 'bars',
    secret: expect.stringMatching(/^[\w-]{43}$/),
    partnerId: 'bars',
    offerId: 'bars-of-moscow',
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
    other: {
      login: 'bakery',
      secret: expect.stringMatching(/^[\w-]{43}$/),
      partnerId: 'bakery',
      offerId: 'bakery-club',
    },
  });
  await service.stop();
  expect(existsSync(file)).toBe(false);
});

test('a restart finds rows and messages again, and a fresh start does not', async () => {
  const assemblyDir = editedAssembly((resources) => {
    delete resources.PlainSource;
  });
  const stateDir = temporaryFolder();
  const left = async (fresh: boolean) => {
    const { service, sqs, dynamodb } = await startFixtureIn(stateDir, { assemblyDir, fresh });
    const { Item } = await dynamodb('GetItem', {
      TableName: 'data-Table',
      Key: { pk: { S: 'kept' }, sk: { S: '-' } },
    });
    const { Messages } = await sqs('ReceiveMessage', {
      QueueUrl: service.endpoints.queues['plain'],
      VisibilityTimeout: 0,
    });
    await service.stop();
    return { row: Item !== undefined, message: Messages !== undefined };
  };
  const first = await startFixtureIn(stateDir, { assemblyDir });
  await first.put('kept');
  await first.send('plain', 'kept');
  await first.service.stop();

  expect(await left(false)).toEqual({ row: true, message: true });
  expect(await left(true)).toEqual({ row: false, message: false });
});

test('a message in progress at a stop is visible at once after a restart', async () => {
  const assemblyDir = editedAssembly((resources) => {
    Object.assign(resources.Work2.Properties, { Handler: 'http.slow', Timeout: 60 });
  });
  const stateDir = temporaryFolder();
  const first = await startFixtureIn(stateDir, { assemblyDir });
  await first.send('plain', '{"n":1}');
  await expect.poll(() => first.printed('Work2'), { timeout: 15_000 }).toHaveLength(1);
  await first.service.stop();

  const second = await startFixtureIn(stateDir, {
    assemblyDir: editedAssembly((resources) => {
      delete resources.PlainSource;
    }),
  });
  onTestFinished(second.service.stop);
  const { Messages } = await second.sqs<{ Messages: { Body: string }[] }>('ReceiveMessage', {
    QueueUrl: second.service.endpoints.queues['plain'],
  });
  expect(Messages[0]?.Body).toBe('{"n":1}');
});

function withIndex() {
  return editedAssembly((resources) => {
    const { Properties } = resources.Table;
    Properties.AttributeDefinitions.push({ AttributeName: 'shelf', AttributeType: 'S' });
    Properties.GlobalSecondaryIndexes = [
      {
        IndexName: 'by-shelf',
        KeySchema: [{ AttributeName: 'shelf', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ];
  }, 'data');
}

test('a table of an earlier run that lacks an index is refused in one sentence, until a fresh start', async () => {
  const stateDir = temporaryFolder();
  await (await startFixtureIn(stateDir)).service.stop();
  const assemblyDir = withIndex();
  await expect(startFixtureIn(stateDir, { assemblyDir })).rejects.toThrow(
    'Table data-Table was left by an earlier run and has no index "by-shelf": start from scratch with --fresh.',
  );
  const { service } = await startFixtureIn(stateDir, { assemblyDir, fresh: true });
  await service.stop();
});

test('a taken port is one sentence, and nothing stays behind', async () => {
  const port = await portTaken();
  const stateDir = temporaryFolder();
  await expect(startFixtureIn(stateDir, { port })).rejects.toThrow(
    `Port ${port} is taken: stop what listens there, or choose another one with --port.`,
  );
  const { service } = await startFixtureIn(stateDir);
  await service.stop();
});

test('a folder that another instance uses is refused', async () => {
  const { stateDir } = await startFixture();
  await expect(startFixtureIn(stateDir)).rejects.toThrow(
    `Another instance runs on ${stateDir}: stop it, or choose another folder with --state.`,
  );
});

/** Runs engines elsewhere, in a service of their own, and sets the variables that point to them. */
async function useSharedEngines() {
  const { service } = await startFixture();
  const { dynamodb, sqs } = service.endpoints;
  process.env['DYNAMODB_ENDPOINT'] = dynamodb;
  process.env['SQS_ENDPOINT'] = sqs;
  onTestFinished(() => {
    delete process.env['DYNAMODB_ENDPOINT'];
    delete process.env['SQS_ENDPOINT'];
  });
  return { dynamodb, sqs };
}

test('state folders that share engines, which take the place of our own, have tables and queues of their own, and find them again', async () => {
  const engines = await useSharedEngines();
  const folders = [temporaryFolder(), temporaryFolder()] as const;
  // Without this source, no function receives from the queue.
  const assemblyDir = editedAssembly((resources) => {
    delete resources.PlainSource;
  });
  const leave = async (stateDir: string) => {
    const { service, dynamodb, send } = await startFixtureIn(stateDir, { assemblyDir });
    expect(service.endpoints).toMatchObject(engines);
    await dynamodb('PutItem', { TableName: service.endpoints.tableName, Item: row(stateDir) });
    await send('plain', stateDir);
    await service.stop();
  };
  const left = async (stateDir: string, options: { fresh?: boolean } = {}) => {
    const { service, dynamodb, sqs } = await startFixtureIn(stateDir, { assemblyDir, ...options });
    const { Items } = await dynamodb<{ Items: { pk: { S: string } }[] }>('Scan', {
      TableName: service.endpoints.tableName,
      FilterExpression: 'contains(pk, :folder)',
      ExpressionAttributeValues: { ':folder': { S: '/' } },
    });
    const { Messages = [] } = await sqs<{ Messages?: { Body: string }[] }>('ReceiveMessage', {
      QueueUrl: service.endpoints.queues['plain'],
      MaxNumberOfMessages: 10,
      VisibilityTimeout: 0,
    });
    await service.stop();
    return [...Items.map(({ pk }) => pk.S), ...Messages.map(({ Body }) => Body)];
  };
  await leave(folders[0]);
  await leave(folders[1]);
  expect(await left(folders[0])).toEqual([folders[0], folders[0]]);
  expect(await left(folders[0], { fresh: true })).toEqual([]);
  expect(await left(folders[1])).toEqual([folders[1], folders[1]]);
});
