import { expect, test } from 'vitest';
import { eventually } from '../../ops/scenario/eventually.ts';
import { type Fixture, sharedFixture } from './fixtures/fixture-service.ts';

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

test('a function gets messages in the form of a real event', async () => {
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
