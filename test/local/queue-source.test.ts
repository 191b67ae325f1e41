import { expect, test } from 'vitest';
import { eventually } from '../../ops/scenario/eventually.ts';
import { type Fixture, sharedFixture, startFixture } from './fixtures/fixture-service.ts';

const inRealTime = sharedFixture();
/** At this speed, failed messages are visible again at once. */
const atOnce = sharedFixture({ retrySpeed: 1000 });

async function sendInOrder(fixture: Fixture, group: string, ...bodies: string[]) {
  for (const body of bodies) await fixture.send('work.fifo', body, { MessageGroupId: group });
}

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

async function hiddenCount({ sqs, service }: Fixture, queue: string): Promise<number> {
  const { Attributes } = await sqs<{ Attributes: Record<string, string> }>('GetQueueAttributes', {
    QueueUrl: service.endpoints.queues[queue],
    AttributeNames: ['ApproximateNumberOfMessagesNotVisible'],
  });
  return Number(Attributes['ApproximateNumberOfMessagesNotVisible']);
}

test('a function gets messages in the form of a real event', async () => {
  const fixture = inRealTime();
  await fixture.send('work.fifo', 'text', {
    MessageGroupId: 'g1',
    MessageDeduplicationId: 'd1',
  });
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
  const failing = () =>
    batches(fixture, 'Work2')
      .flat()
      .filter((body) => body === '{"fail":1}');
  await eventually('three attempts', () => failing().length >= 3);
  const others = batches(fixture, 'Work2')
    .flat()
    .filter((body) => body !== '{"fail":1}');
  expect(others.sort()).toEqual(['{"n":1}', '{"n":2}']);
});

test('a response that names an unknown message fails the whole batch', async () => {
  const fixture = atOnce();
  await fixture.send('work.fifo', 'malformed', { MessageGroupId: 'malformed' });
  const attempts = () =>
    batches(fixture, 'Work1')
      .flat()
      .filter((body) => body === 'malformed');
  await eventually('another attempt', () => attempts().length >= 2);
});

test('an exception fails the whole batch, and after three receives it is in the dead-letter queue', async () => {
  const fixture = atOnce();
  await sendInOrder(fixture, 'poisoned', 'poison');
  await eventually('the dead letter', async () =>
    (await receivedBodies(fixture, 'dead.fifo')).includes('poison'),
  );
  const poisoned = batches(fixture, 'Work1').filter((batch) => batch.includes('poison'));
  expect(poisoned).toEqual([['poison'], ['poison'], ['poison']]);
});

test('in real time a failed message stays hidden for the visibility timeout of its queue', async () => {
  const fixture = await startFixture();
  await sendInOrder(fixture, 'g', 'fail');
  await eventually('the attempt', () => batches(fixture, 'Work1').length === 1);
  await fixture.send('plain', '{"later":1}');
  await eventually('what came later', () => batches(fixture, 'Work2').length === 1);
  expect(await hiddenCount(fixture, 'work.fifo')).toBe(1);
  expect(await receivedBodies(fixture, 'work.fifo')).toEqual([]);
  expect(batches(fixture, 'Work1')).toEqual([['fail']]);
});

test('messages of a group keep their order', async () => {
  const fixture = inRealTime();
  const numbers = Array.from({ length: 25 }, (_, index) => String(index).padStart(2, '0'));
  await Promise.all(
    ['a', 'b'].map((group) => sendInOrder(fixture, group, ...numbers.map((n) => `${group}${n}`))),
  );
  const received = () =>
    batches(fixture, 'Work1')
      .flat()
      .filter((body) => /^[ab]\d\d$/.test(body));
  await eventually('all messages', () => received().length === 50);
  const all = received();
  for (const group of ['a', 'b']) {
    expect(all.filter((body) => body.startsWith(group))).toEqual(numbers.map((n) => `${group}${n}`));
  }
  await eventually('no message left', async () => (await hiddenCount(fixture, 'work.fifo')) === 0);
});

test('a failed message of a group comes back before the later ones of the group', async () => {
  const fixture = atOnce();
  await sendInOrder(fixture, 'g', 'fail');
  await sendInOrder(fixture, 'g', 'later');
  await eventually('the later message', () => batches(fixture, 'Work1').flat().includes('later'));
  const inOrder = batches(fixture, 'Work1')
    .flat()
    .filter((body) => body === 'fail' || body === 'later');
  // The queue moves the message to the dead-letter queue after three receives.
  expect(inOrder).toEqual(['fail', 'fail', 'fail', 'later']);
});

test('large messages are cut into events that Lambda takes', async () => {
  const fixture = inRealTime();
  const body = `"${'"'.repeat(900_000)}"`;
  await Promise.all(
    [1, 2, 3, 4, 5].map((n) =>
      fixture.send('work.fifo', body, { MessageGroupId: `g${n}`, MessageDeduplicationId: `${n}` }),
    ),
  );
  const large = () => batches(fixture, 'Work1').filter((batch) => batch.includes(body));
  await eventually('all messages', () => large().flat().length === 5);
  expect(Math.max(...large().map((batch) => batch.length))).toBeLessThanOrEqual(3);
});
