import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '../../ops/scenario/eventually.ts';
import { sharedFixture } from './fixtures/fixture-service.ts';

beforeAll(() => {
  vi.stubEnv('SECRET_OF_THE_SHELL', 'x');
  vi.stubEnv('AWS_PROFILE', 'production');
});
afterAll(() => void vi.unstubAllEnvs());
// Half a minute between the tries of a message passes at once.
const fixture = sharedFixture({ retrySpeed: 1_000 });

test('a function sees its own environment, who it is and how long it has, and nothing of the process around it', async () => {
  const { service } = fixture();
  const seen = (await service.invoke('Inspect', {})) as Record<string, unknown>;
  expect(seen).toMatchObject({
    env: {
      ONLY_HERE: 'yes',
      TABLE_NAME: 'data-Table',
      AWS_REGION: 'eu-central-1',
      AWS_LAMBDA_FUNCTION_NAME: 'Inspect',
      AWS_ENDPOINT_URL_DYNAMODB: service.endpoints.dynamodb,
      AWS_ENDPOINT_URL_SQS: service.endpoints.sqs,
      AWS_ACCESS_KEY_ID: 'local',
    },
    // NODE_OPTIONS sets this depth.
    stackTraceLimit: 30,
    context: {
      functionName: 'Inspect',
      memoryLimitInMB: '128',
      invokedFunctionArn: 'arn:aws:lambda:eu-central-1:000000000000:function:Inspect',
    },
  });
  for (const hidden of ['SECRET_OF_THE_SHELL', 'AWS_PROFILE', 'GREETING', 'QUEUE_URL'])
    expect(seen['env']).not.toHaveProperty(hidden);
  expect(seen['remainingMs']).toBeGreaterThan(3_000);
  expect(seen['remainingMs']).toBeLessThanOrEqual(5_000);
});

test('a function gets the messages of its queue in the form of a real event', async () => {
  const { send, printed } = fixture();
  await send('work.fifo', 'text', { MessageGroupId: 'g1', MessageDeduplicationId: 'd1' });
  const [record] = await eventually('the event', () => printed('Work1')[0]);
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

test('a message whose function fails every time ends in the dead-letter queue, whose receives are counted from one', async () => {
  const { send, printed, sqs, service } = fixture();
  await send('work.fifo', 'fail', { MessageGroupId: 'g2' });
  const dead = {
    QueueUrl: service.endpoints.queues['dead.fifo'],
    MessageSystemAttributeNames: ['ApproximateReceiveCount'],
  };
  const receive = async () => (await sqs<{ Messages?: object[] }>('ReceiveMessage', dead)).Messages?.[0];
  const message = await eventually('the dead letter', receive);
  expect(message).toMatchObject({ Body: 'fail', Attributes: { ApproximateReceiveCount: '1' } });
  const failures = printed('Work1').filter(([{ body }]) => body === 'fail');
  expect(failures).toHaveLength(3);
});

test('a function gets the changes that pass its filter, in order, in the form of a real event', async () => {
  const { put, printed } = fixture();
  await put('IGNORED#1');
  await put('WATCHED#1', { data: { B: 'AQID' }, n: { N: '1' } });
  await put('WATCHED#2');
  const keys = () =>
    printed('Changes')
      .flat()
      .map(({ dynamodb }) => dynamodb.Keys.pk.S);
  await eventually('the last change', () => keys().includes('WATCHED#2'));
  expect(keys()).toEqual(['WATCHED#1', 'WATCHED#2']);
  expect(printed('Changes')[0][0]).toEqual({
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
