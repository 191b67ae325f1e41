import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  ScanCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import {
  GetQueueAttributesCommand,
  PurgeQueueCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  editedAssembly,
  eventually,
  type Fixture,
  startFixture,
  startFixtureIn,
} from '../local/fixtures/fixture-service.ts';
import { faultLayer } from './faults/fault-layer.ts';
import { createFaultPlan, type FaultKind, type FaultPlan, wireFaults } from './faults/fault-plan.ts';
import { startFaultProxy } from './faults/fault-proxy.ts';

function always(kind: FaultKind, seed = 1): FaultPlan {
  return createFaultPlan({ seed, rates: { [kind]: 1 } });
}

const TableName = 'data-Table';

function row(pk: string) {
  return { pk: { S: pk }, sk: { S: '-' } };
}

function rows(count: number) {
  return Array.from({ length: count }, (_, n) => row(`row-${n}`));
}

/** Clients as functions have them, except that they try once, for one second. */
const client = {
  region: 'eu-central-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  maxAttempts: 1,
  requestHandler: { requestTimeout: 1_000, throwOnRequestTimeout: true },
};

/** One service for all tests that only call its engines; each begins with an empty table. */
let shared: Fixture;
beforeAll(async () => {
  const stateDir = mkdtempSync(join(tmpdir(), 'local-faults-'));
  shared = await startFixtureIn(stateDir);
  return async () => {
    await shared.service.stop();
    rmSync(stateDir, { recursive: true, force: true });
  };
});

async function tableBehind(plan: FaultPlan) {
  const { service } = shared;
  const proxy = await startFaultProxy('dynamodb', service.endpoints.dynamodb, plan);
  onTestFinished(proxy.stop);
  const behind = new DynamoDBClient({ ...client, endpoint: proxy.endpoint });
  const direct = new DynamoDBClient({ ...client, endpoint: service.endpoints.dynamodb });
  const stored = async () => {
    const { Items = [] } = await direct.send(new ScanCommand({ TableName }));
    return Items.map(({ pk }) => pk?.S ?? '').sort();
  };
  for (const pk of await stored()) {
    await direct.send(new DeleteItemCommand({ TableName, Key: row(pk) }));
  }
  return { behind, stored };
}

const put = new PutItemCommand({ TableName, Item: row('one') });

describe('a call to the table that the plan has a fault for', () => {
  test.each([
    ['throttled', /ProvisionedThroughputExceeded|ThrottlingException/, []],
    ['serverError', /InternalServerError/, []],
    ['cutBefore', /ECONNRESET|Error/, []],
    ['cutAfter', /Error/, ['one']],
    ['unanswered', /TimeoutError/, ['one']],
    ['late', /TimeoutError/, ['one']],
  ] as const)('%s: fails with its own error, and takes effect or not', async (kind, name, expected) => {
    const plan = always(kind);
    const { behind, stored } = await tableBehind(plan);
    await expect(behind.send(put)).rejects.toMatchObject({ name: expect.stringMatching(name) });
    expect(await stored()).toEqual(expected);
    expect(plan.counts()[kind]).toBe(1);
  });

  test('slow: is answered, later', async () => {
    const plan = always('slow');
    const { behind, stored } = await tableBehind(plan);
    await behind.send(put);
    expect(await stored()).toEqual(['one']);
    expect(plan.counts().slow).toBe(1);
  });

  test('unprocessedItems: a part of the batch is written, the response names exactly the rest', async () => {
    const { behind, stored } = await tableBehind(always('unprocessedItems'));
    const { UnprocessedItems } = await behind.send(
      new BatchWriteItemCommand({
        RequestItems: { [TableName]: rows(10).map((Item) => ({ PutRequest: { Item } })) },
      }),
    );
    const left = (UnprocessedItems?.[TableName] ?? []).map(({ PutRequest }) => PutRequest?.Item?.['pk']?.S);
    const written = await stored();
    expect(left.length).toBeGreaterThan(0);
    expect(written.length).toBeGreaterThan(0);
    expect([...written, ...left].sort()).toEqual(rows(10).map(({ pk }) => pk.S));
  });

  test('unprocessedKeys: a part of the batch is read, the response names exactly the rest', async () => {
    const plan = always('unprocessedKeys');
    const { behind } = await tableBehind(plan);
    for (const Item of rows(6)) await behind.send(new PutItemCommand({ TableName, Item }));
    const { Responses, UnprocessedKeys } = await behind.send(
      new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: rows(6), ConsistentRead: true } } }),
    );
    const read = (Responses?.[TableName] ?? []).map(({ pk }) => pk?.S);
    const left = (UnprocessedKeys?.[TableName]?.Keys ?? []).map(({ pk }) => pk?.S);
    expect(left.length).toBeGreaterThan(0);
    expect([...read, ...left].sort()).toEqual(rows(6).map(({ pk }) => pk.S));
    expect(UnprocessedKeys?.[TableName]?.ConsistentRead).toBe(true);
    expect(plan.counts().unprocessedKeys).toBe(1);
  });

  test('transactionCancelled: nothing is written, and the reason is another transaction', async () => {
    const { behind, stored } = await tableBehind(always('transactionCancelled'));
    const TransactItems = rows(2).map((Item) => ({ Put: { TableName, Item } }));
    await expect(behind.send(new TransactWriteItemsCommand({ TransactItems }))).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
    });
    expect(await stored()).toEqual([]);
  });
});

describe('a call to a queue that the plan has a fault for', () => {
  const queueBehind = async (plan: FaultPlan) => {
    const { service } = shared;
    const proxy = await startFaultProxy('sqs', service.endpoints.sqs, plan);
    onTestFinished(proxy.stop);
    // No function consumes this one.
    const path = new URL(service.endpoints.queues['lost'] ?? '').pathname;
    const send = () =>
      new SQSClient({ ...client, endpoint: proxy.endpoint }).send(
        new SendMessageBatchCommand({
          QueueUrl: `${proxy.endpoint}${path}`,
          Entries: ['a', 'b', 'c', 'd'].map((Id) => ({ Id, MessageBody: Id })),
        }),
      );
    const direct = new SQSClient({ ...client, endpoint: service.endpoints.sqs });
    const QueueUrl = service.endpoints.queues['lost'];
    await direct.send(new PurgeQueueCommand({ QueueUrl }));
    const waiting = async () => {
      const { Attributes } = await direct.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }),
      );
      return Number(Attributes?.['ApproximateNumberOfMessages']);
    };
    return { send, waiting };
  };

  test.each([
    ['throttled', /RequestThrottled|ThrottlingException/, 0],
    ['serverError', /InternalError/, 0],
    ['cutAfter', /Error/, 4],
    ['unanswered', /TimeoutError/, 4],
  ] as const)('%s: fails with its own error', async (kind, name, expected) => {
    const { send, waiting } = await queueBehind(always(kind));
    await expect(send()).rejects.toMatchObject({ name: expect.stringMatching(name) });
    expect(await waiting()).toBe(expected);
  });

  test.each([1, 2, 3])('failedEntries (seed %i): the queue has exactly those not named', async (seed) => {
    const { send, waiting } = await queueBehind(always('failedEntries', seed));
    const { Successful = [], Failed = [] } = await send();
    expect(Failed.length).toBeGreaterThan(0);
    expect([...Successful, ...Failed].map(({ Id }) => Id).sort()).toEqual(['a', 'b', 'c', 'd']);
    expect(await waiting()).toBe(Successful.length);
  });
});

describe('deliveries that the plan has a fault for', () => {
  const bodies = (fixture: Fixture, name: string): string[][] =>
    fixture.printed(name).map((records) => records.map((record: { body: string }) => record.body));
  const startWith = (plan: FaultPlan) => startFixture({ interception: faultLayer(plan), retrySpeed: 1_000 });

  test('deliveredTwice: a message is delivered again, and its queue counts the second receive', async () => {
    const fixture = await startWith(always('deliveredTwice'));
    await fixture.send('plain', 'text');
    await eventually('both deliveries', () => bodies(fixture, 'Work2').length === 2);
    const counts = fixture.printed('Work2').map(([record]) => record.attributes.ApproximateReceiveCount);
    expect(counts.sort()).toEqual(['1', '2']);
  });

  test('deliveredTwice: a FIFO queue keeps its order, each batch delivered again before the next', async () => {
    const fixture = await startWith(always('deliveredTwice'));
    for (const body of ['1', '2', '3']) await fixture.send('work.fifo', body, { MessageGroupId: 'g' });
    await eventually('all deliveries', () => bodies(fixture, 'Work1').flat().length === 6);
    const firsts = [...new Set(bodies(fixture, 'Work1').flat())];
    expect(firsts).toEqual(['1', '2', '3']);
    const batches = bodies(fixture, 'Work1').map(String);
    expect(batches.filter((_batch, n) => n % 2 === 0)).toEqual(batches.filter((_batch, n) => n % 2 === 1));
  });

  test('reordered: every message arrives, whatever the order', async () => {
    const plan = always('reordered');
    const fixture = await startWith(plan);
    await Promise.all(['1', '2', '3', '4'].map((body) => fixture.send('plain', body)));
    const arrived = await eventually('all four', () => {
      const all = bodies(fixture, 'Work2').flat();
      return all.length === 4 ? all : undefined;
    });
    expect(arrived.sort()).toEqual(['1', '2', '3', '4']);
    expect(plan.counts().reordered).toBeGreaterThan(0);
  });

  test('streamTwice: a batch of changes is delivered again', async () => {
    const fixture = await startWith(always('streamTwice'));
    await fixture.put('WATCHED#1');
    await eventually('both', () => fixture.printed('Changes').length === 2);
    const [first, second] = fixture.printed('Changes');
    expect(second).toEqual(first);
  });

  test('requestKilled: the thread ends in the middle, and the caller gets 500', async () => {
    const plan = always('requestKilled');
    const fixture = await startWith(plan);
    const { status } = await fetch(`${fixture.service.endpoints.baseUrl}/slow`);
    expect(status).toBe(500);
    expect(plan.counts().requestKilled).toBe(1);
  });
});

test('workerKilled: the thread ends in the middle of a batch, which is delivered again', async () => {
  const plan = always('workerKilled');
  // The function of the fixture would finish before it could be killed.
  const assemblyDir = editedAssembly((resources) => {
    resources.Work2.Properties.Handler = 'http.slow';
  });
  const fixture = await startFixture({ interception: faultLayer(plan), retrySpeed: 1_000, assemblyDir });
  await fixture.send('plain', 'text');
  await eventually('two kills', () => plan.counts().workerKilled >= 2);
});

describe('the plan', () => {
  const drawn = (seed: number) => {
    const plan = createFaultPlan({ seed, rates: Object.fromEntries(wireFaults.map((kind) => [kind, 0.05])) });
    return Array.from({ length: 400 }, (_, n) =>
      plan.next(`dynamodb.${n % 2 ? 'PutItem' : 'GetItem'}`, wireFaults),
    );
  };
  test('makes the same decisions for the same seed, and different ones for another seed', () => {
    expect(drawn(7)).toEqual(drawn(7));
    expect(drawn(8)).not.toEqual(drawn(7));
  });

  test('lets about as many calls fail as it was told', () => {
    const plan = createFaultPlan({ seed: 3, rates: { throttled: 0.1 } });
    const faults = Array.from({ length: 10_000 }, () => plan.next('dynamodb.PutItem', wireFaults));
    const share = faults.filter((fault) => fault !== undefined).length / faults.length;
    expect(share).toBeGreaterThan(0.09);
    expect(share).toBeLessThan(0.11);
  });

  test('that has ended lets everything through', () => {
    const plan = always('throttled');
    plan.end();
    expect(plan.next('dynamodb.PutItem', wireFaults)).toBeUndefined();
  });
});
