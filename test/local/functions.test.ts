import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '../../ops/scenario/eventually.ts';
import { editedAssembly, sharedFixture, startFixture, temporaryFolder } from './fixtures/fixture-service.ts';

const shown: string[] = [];
const log = { info: () => undefined, warn: (line: string) => shown.push(line) };
beforeAll(() => {
  vi.stubEnv('SECRET_OF_THE_SHELL', 'x');
  vi.stubEnv('AWS_PROFILE', 'production');
});
afterAll(() => void vi.unstubAllEnvs());
const fixture = sharedFixture({ log });

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

test('a warm worker is used again, and two invocations at once run in two', async () => {
  const { service } = await startFixture();
  const count = async (event: object) =>
    ((await service.invoke('Inspect', event)) as { invocations: number }).invocations;
  expect(await count({})).toBe(1);
  expect(await count({})).toBe(2);
  const meetIn = temporaryFolder();
  const both = await Promise.all([count({ meetIn }), count({ meetIn })]);
  expect(both.sort()).toEqual([1, 3]);
});

test.each([
  ['keeps its type and message', { fail: 'too far' }, 'RangeError', 'too far'],
  ['of its process is named', { exit: true }, 'Runtime.ExitError', ''],
])('a failure %s', async (_what, event, errorType, message) => {
  await expect(fixture().service.invoke('Inspect', event)).rejects.toMatchObject({
    failure: { errorType },
    message: expect.stringContaining(message),
  });
});

test('a function that takes longer than its timeout is ended, and the next invocation has a new worker', async () => {
  const assemblyDir = editedAssembly((resources) => {
    resources.Inspect.Properties.Timeout = 1;
  });
  const { service } = await startFixture({ assemblyDir });
  await expect(service.invoke('Inspect', { hang: true })).rejects.toMatchObject({
    failure: { errorType: 'Sandbox.Timedout' },
    message: expect.stringContaining('Task timed out after 1.00 seconds'),
  });
  await expect(service.invoke('Inspect', {})).resolves.toMatchObject({ invocations: 1 });
});

test('what a function prints is in its log file, and only errors, warnings and parked receipts are on the terminal', async () => {
  const { service, printed } = fixture();
  await service.invoke('Inspect', { print: '{"said":"something"}' });
  await service.invoke('Inspect', { print: '{"level":"WARN","message":"slow","secret":"x"}' });
  await service.invoke('Inspect', {
    print: '{"level":"INFO","messageId":"m-1","parkedReasons":{"too old":2}}',
  });
  await eventually('what was parked', () => shown.some((line) => line.includes('parked')));
  expect(printed('Inspect')).toEqual([{ said: 'something' }]);
  expect(shown.slice(-2)).toEqual([
    'Inspect: WARN slow',
    'Inspect: parked {"too old":2} of queue message m-1',
  ]);
});
