import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../ops/scenario/eventually.ts';
import {
  type Fixture,
  row,
  sharedFixture,
  startFixtureIn,
  temporaryFolder,
} from './fixtures/fixture-service.ts';

const inRealTime = sharedFixture();
/** At this speed, failed messages are visible again at once. */
const atOnce = sharedFixture({ retrySpeed: 1000 });

/** Returns the bodies of every batch so far. */
function batches(fixture: Fixture, name: string): string[][] {
  return fixture.printed(name).map((records) => records.map((record: { body: string }) => record.body));
}

async function receivedBodies({ sqs, service }: Fixture, queue: string): Promise<string[]> {
  const { Messages } = await sqs<{ Messages?: { Body: string }[] }>('ReceiveMessage', {
    QueueUrl: service.endpoints.queues[queue],
    MaxNumberOfMessages: 10,
  });
  return (Messages ?? []).map(({ Body }) => Body);
}

test('a function gets the messages of its queue in the form of a real event', async () => {
  const fixture = inRealTime();
  await fixture.send('work.fifo', 'text', { MessageGroupId: 'g1', MessageDeduplicationId: 'd1' });
  const [record] = await eventually('the event', () => fixture.printed('Work1')[0]);
  expect(record).toEqual({
    messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    receiptHandle: expect.any(String),
    body: 'text',
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: expect.stringMatching(/^\d{13}$/),
      ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
      SenderId: '000000000000',
      MessageGroupId: 'g1',
      MessageDeduplicationId: 'd1',
      SequenceNumber: '00000000000000000001',
    },
    messageAttributes: {},
    md5OfBody: '1cb251ec0d568de6a929b520c4aed8d1',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:eu-central-1:000000000000:fixture-dev-work.fifo',
    awsRegion: 'eu-central-1',
  });
});

test('only the messages that a function names as failed are given again', async () => {
  const fixture = atOnce();
  await Promise.all(['{"n":1}', '{"fail":1}', '{"n":2}'].map((body) => fixture.send('plain', body)));
  const all = () => batches(fixture, 'Work2').flat();
  await eventually('three attempts', () => all().filter((body) => body === '{"fail":1}').length >= 3);
  expect(
    all()
      .filter((body) => body !== '{"fail":1}')
      .sort(),
  ).toEqual(['{"n":1}', '{"n":2}']);
});

test('after an exception a message comes back before the later ones of its group, and after three receives it is a dead letter', async () => {
  const fixture = atOnce();
  for (const body of ['poison', 'later']) await fixture.send('work.fifo', body, { MessageGroupId: 'g' });
  await eventually('the dead letter', async () =>
    (await receivedBodies(fixture, 'dead.fifo')).includes('poison'),
  );
  await eventually('the later message', () => batches(fixture, 'Work1').flat().includes('later'));
  expect(batches(fixture, 'Work1').flat()).toEqual(['poison', 'poison', 'poison', 'later']);
});

test('in real time a failed message stays hidden for the visibility timeout of its queue', async () => {
  const fixture = inRealTime();
  await fixture.send('work.fifo', 'fail', { MessageGroupId: 'failing' });
  const attempts = () =>
    batches(fixture, 'Work1')
      .flat()
      .filter((body) => body === 'fail');
  await eventually('the attempt', () => attempts().length === 1);
  await fixture.send('plain', '{"later":1}');
  await eventually('what came later', () => batches(fixture, 'Work2').length === 1);
  expect(await receivedBodies(fixture, 'work.fifo')).toEqual([]);
  expect(attempts()).toEqual(['fail']);
});

test('large messages are cut into events that Lambda takes', async () => {
  const fixture = inRealTime();
  const body = `"${'"'.repeat(900_000)}"`;
  const groups = ['a', 'b', 'c', 'd', 'e'];
  await Promise.all(groups.map((MessageGroupId) => fixture.send('work.fifo', body, { MessageGroupId })));
  const large = () => batches(fixture, 'Work1').filter((batch) => batch.includes(body));
  await eventually('all messages', () => large().flat().length === 5);
  expect(Math.max(...large().map((batch) => batch.length))).toBeLessThanOrEqual(3);
});

/** Returns the partition keys of all records that the function got from the stream, in order. */
function changes({ printed }: Fixture): string[] {
  return printed('Changes').flatMap((records) =>
    records.map((record: { dynamodb: { Keys: { pk: { S: string } } } }) => record.dynamodb.Keys.pk.S),
  );
}

function count(fixture: Fixture, pk: string): number {
  return changes(fixture).filter((key) => key === pk).length;
}

test('a function gets the changes that pass its filter, in order, in the form of a real event', async () => {
  const fixture = inRealTime();
  await fixture.put('IGNORED#1');
  await fixture.put('WATCHED#1', { data: { B: 'AQID' }, n: { N: '1' } });
  await fixture.put('WATCHED#2');
  await eventually('the last change', () => count(fixture, 'WATCHED#2') > 0);
  expect(changes(fixture)).toEqual(['WATCHED#1', 'WATCHED#2']);
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
  const fixture = atOnce();
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

test('a rule invokes its function again and again, faster with a retry speed', async () => {
  const fixture = atOnce();
  await eventually('three runs', () => fixture.printed('Tick').length >= 3);
  expect(fixture.printed('Tick')[0]).toMatchObject({
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    resources: ['arn:aws:events:eu-central-1:000000000000:rule/TickRule'],
  });
});
