import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../ops/scenario/eventually.ts';
import {
  type Fixture,
  row,
  startFixture,
  startFixtureIn,
  temporaryFolder,
} from './fixtures/fixture-service.ts';

/** Returns the partition keys of all records that the function got, in order. */
function received({ printed }: Fixture): string[] {
  return printed('Changes').flatMap((records) =>
    records.map((record: { dynamodb: { Keys: { pk: { S: string } } } }) => record.dynamodb.Keys.pk.S),
  );
}

function count(fixture: Fixture, pk: string): number {
  return received(fixture).filter((key) => key === pk).length;
}

test('a function gets the changes that pass its filter, in order, in the form of a real event', async () => {
  const fixture = await startFixture();
  await fixture.put('IGNORED#1');
  await fixture.put('WATCHED#1', { data: { B: 'AQID' }, n: { N: '1' } });
  await fixture.put('WATCHED#2');
  await eventually('the last change', () => count(fixture, 'WATCHED#2') > 0);
  expect(received(fixture)).toEqual(['WATCHED#1', 'WATCHED#2']);
  expect(fixture.printed('Changes')[0][0]).toEqual({
    eventID: expect.any(String),
    eventName: 'INSERT',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: 'eu-central-1',
    dynamodb: {
      Keys: { pk: { S: 'WATCHED#1' }, sk: { S: '-' } },
      NewImage: {
        ...{ pk: { S: 'WATCHED#1' }, sk: { S: '-' }, watched: { S: 'yes' } },
        ...{ data: { B: 'AQID' }, n: { N: '1' } },
      },
      SequenceNumber: expect.stringMatching(/^\d+$/),
      SizeBytes: expect.any(Number),
      StreamViewType: 'NEW_AND_OLD_IMAGES',
      ApproximateCreationDateTime: expect.any(Number),
    },
    eventSourceARN: 'arn:aws:dynamodb:eu-central-1:000000000000:table/data-Table/stream/local',
  });
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
  const { Messages } = await fixture.sqs<{ Messages?: { Body: string }[] }>('ReceiveMessage', {
    QueueUrl: fixture.service.endpoints.queues['lost'],
    WaitTimeSeconds: 10,
  });
  expect(JSON.parse(Messages?.[0]?.Body ?? 'null')).toMatchObject({
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

test('a restart goes on after the last change that was handled, and with the one that was not', async () => {
  const stateDir = temporaryFolder();
  const first = await startFixtureIn(stateDir);
  await first.put('WATCHED#before');
  const checkpoint = join(stateDir, 'checkpoints', 'ChangesSource.json');
  await eventually('the checkpoint', () => {
    const { sequenceNumber } = JSON.parse(readFileSync(checkpoint, { encoding: 'utf8', flag: 'a+' }) || '{}');
    // The rows of the two partners are the first six changes.
    return sequenceNumber === '7';
  });
  await first.put('WATCHED#1', { text: { S: 'fail' } });
  await eventually('the first attempt', () => count(first, 'WATCHED#1') > 0);
  await first.put('WATCHED#2');
  await first.service.stop();

  const second = await startFixtureIn(stateDir);
  onTestFinished(second.service.stop);
  await eventually('the change behind the failed one', () => count(second, 'WATCHED#2') > 0);
  expect(count(second, 'WATCHED#before')).toBe(1);
});
