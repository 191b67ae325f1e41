import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../ops/scenario/eventually.ts';
import {
  type Fixture,
  row,
  sharedFixture,
  startFixture,
  startFixtureIn,
  temporaryFolder,
} from './fixtures/fixture-service.ts';

const shared = sharedFixture();

/** Returns the partition keys of every batch so far. */
function batches({ printed }: Fixture): string[][] {
  return printed('Changes').map((records) =>
    records.map((record: { dynamodb: { Keys: { pk: { S: string } } } }) => record.dynamodb.Keys.pk.S),
  );
}

function count(fixture: Fixture, pk: string): number {
  return batches(fixture)
    .flat()
    .filter((key) => key === pk).length;
}

async function onFailureMessage({ sqs, service }: Fixture): Promise<unknown> {
  const { Messages } = await sqs<{ Messages?: { Body: string }[] }>('ReceiveMessage', {
    QueueUrl: service.endpoints.queues['lost'],
    WaitTimeSeconds: 10,
  });
  return JSON.parse(Messages?.[0]?.Body ?? 'null');
}

test('a function gets changes in the form of a real event, binary values in base64', async () => {
  const fixture = shared();
  await fixture.put('WATCHED#1', { data: { B: 'AQID' }, n: { N: '1' } });
  const [record] = await eventually('the event', () => fixture.printed('Changes')[0]);
  expect(record).toEqual({
    eventID: expect.any(String),
    eventName: 'INSERT',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: 'eu-central-1',
    dynamodb: {
      Keys: { pk: { S: 'WATCHED#1' }, sk: { S: '-' } },
      NewImage: {
        pk: { S: 'WATCHED#1' },
        sk: { S: '-' },
        watched: { S: 'yes' },
        data: { B: 'AQID' },
        n: { N: '1' },
      },
      SequenceNumber: expect.stringMatching(/^\d+$/),
      SizeBytes: expect.any(Number),
      StreamViewType: 'NEW_AND_OLD_IMAGES',
      ApproximateCreationDateTime: expect.any(Number),
    },
    eventSourceARN: 'arn:aws:dynamodb:eu-central-1:000000000000:table/data-Table/stream/local',
  });
});

test('only changes that pass the filter arrive', async () => {
  const fixture = shared();
  await fixture.put('IGNORED#filtered');
  await fixture.put('WATCHED#filtered 1');
  await fixture.dynamodb('DeleteItem', {
    TableName: 'data-Table',
    Key: { pk: { S: 'WATCHED#filtered 1' }, sk: { S: '-' } },
  });
  await fixture.put('WATCHED#filtered 2');
  await eventually('the last change', () => count(fixture, 'WATCHED#filtered 2') > 0);
  const arrived = batches(fixture)
    .flat()
    .filter((key) => key.includes('filtered'));
  expect(arrived.sort()).toEqual(['WATCHED#filtered 1', 'WATCHED#filtered 2']);
});

test('a poison record is isolated by halving, given up after its retries and reported', async () => {
  const fixture = await startFixture({ retrySpeed: 1000 });
  const keys = Array.from({ length: 8 }, (_, index) => `WATCHED#${index}`);
  await fixture.dynamodb('BatchWriteItem', {
    RequestItems: {
      'data-Table': keys.map((pk) => ({
        PutRequest: { Item: row(pk, { text: { S: pk === 'WATCHED#3' ? 'poison' : 'fine' } }) },
      })),
    },
  });
  const message = await onFailureMessage(fixture);
  expect(message).toMatchObject({
    requestContext: {
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      functionArn: 'arn:aws:lambda:eu-central-1:000000000000:function:Changes',
      condition: 'RetryAttemptsExhausted',
      approximateInvokeCount: 2,
    },
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    version: '1.0',
    DDBStreamBatchInfo: {
      batchSize: 1,
      startSequenceNumber: expect.any(String),
      endSequenceNumber: expect.any(String),
      streamArn: 'arn:aws:dynamodb:eu-central-1:000000000000:table/data-Table/stream/local',
    },
  });
  await fixture.put('WATCHED#after');
  await eventually('the stream to go on', () => count(fixture, 'WATCHED#after') === 1);
  for (const key of keys) expect(count(fixture, key)).toBeGreaterThan(0);
});

test('changes of one item arrive in order', async () => {
  const fixture = shared();
  for (let n = 0; n < 30; n++) await fixture.put(`WATCHED#item ${n % 3}`, { n: { N: String(n) } });
  const records = () =>
    fixture
      .printed('Changes')
      .flat()
      .filter(({ dynamodb }) => dynamodb.Keys.pk.S.startsWith('WATCHED#item'));
  await eventually('all changes', () => records().length === 30);
  for (const item of [0, 1, 2]) {
    const numbers = records()
      .filter(({ dynamodb }) => dynamodb.Keys.pk.S === `WATCHED#item ${item}`)
      .map(({ dynamodb }) => Number(dynamodb.NewImage.n.N));
    expect(numbers).toEqual(Array.from({ length: 10 }, (_, index) => index * 3 + item));
  }
});

test('a restart goes on after the last change that was handled', async () => {
  const stateDir = temporaryFolder();
  const first = await startFixtureIn(stateDir);
  await first.put('WATCHED#before');
  const checkpoint = join(stateDir, 'checkpoints', 'ChangesSource.json');
  await eventually('the checkpoint', () => {
    const { sequenceNumber } = JSON.parse(readFileSync(checkpoint, { encoding: 'utf8', flag: 'a+' }) || '{}');
    // The rows of the two partners are the first six changes.
    return sequenceNumber === '7';
  });
  await first.service.stop();

  const second = await startFixtureIn(stateDir);
  onTestFinished(second.service.stop);
  await second.put('WATCHED#after');
  await eventually('the change after', () => count(second, 'WATCHED#after') === 1);
  expect(count(second, 'WATCHED#before')).toBe(1);
});

test('changes made while the service was down are not lost', async () => {
  const stateDir = temporaryFolder();
  const failing = await startFixtureIn(stateDir);
  await failing.put('WATCHED#1', { text: { S: 'fail' } });
  await eventually('the first attempt', () => count(failing, 'WATCHED#1') > 0);
  await failing.put('WATCHED#2');
  await failing.service.stop();

  const second = await startFixtureIn(stateDir);
  onTestFinished(second.service.stop);
  await eventually('the change behind the failed one', () => count(second, 'WATCHED#2') > 0);
});
