import { expect, test, vi } from 'vitest';
import { eventually } from '../../ops/scenario/eventually.ts';
import { editedAssembly, startFixture, temporaryFolder } from './fixtures/fixture-service.ts';

test('a function sees its own environment, who it is and how long it has, and nothing of the process around it', async () => {
  vi.stubEnv('SECRET_OF_THE_SHELL', 'x');
  vi.stubEnv('AWS_PROFILE', 'production');
  const { service } = await startFixture();
  const seen = (await service.invoke('Inspect', {})) as Record<string, unknown>;
  vi.unstubAllEnvs();
  const { env } = seen;
  expect(env).toMatchObject({
    ONLY_HERE: 'yes',
    TABLE_NAME: 'data-Table',
    AWS_REGION: 'eu-central-1',
    AWS_LAMBDA_FUNCTION_NAME: 'Inspect',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128',
    AWS_ENDPOINT_URL_DYNAMODB: service.endpoints.dynamodb,
    AWS_ENDPOINT_URL_SQS: service.endpoints.sqs,
    AWS_ACCESS_KEY_ID: 'local',
    _HANDLER: 'inspect.handler',
  });
  for (const hidden of ['SECRET_OF_THE_SHELL', 'AWS_PROFILE', 'GREETING', 'QUEUE_URL'])
    expect(env).not.toHaveProperty(hidden);
  // NODE_OPTIONS sets this depth.
  expect(seen['stackTraceLimit']).toBe(30);
  expect(seen['context']).toEqual({
    functionName: 'Inspect',
    memoryLimitInMB: '128',
    invokedFunctionArn: 'arn:aws:lambda:eu-central-1:000000000000:function:Inspect',
  });
  expect(seen['remainingMs']).toBeGreaterThan(3_000);
  expect(seen['remainingMs']).toBeLessThanOrEqual(5_000);
  // The URL of a queue that a template gives to a function leads here.
  expect(service.endpoints.queues['work.fifo']).toBe(
    `${service.endpoints.sqs}/000000000000/fixture-dev-work.fifo`,
  );
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

test('a function that takes longer than its timeout is ended', async () => {
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

test('an exception keeps its type and message', async () => {
  const { service } = await startFixture();
  await expect(service.invoke('Inspect', { fail: 'too far' })).rejects.toMatchObject({
    failure: { errorType: 'RangeError' },
    message: 'too far',
  });
});

test('a function that ends its process fails, and the next invocation has a new worker', async () => {
  const { service } = await startFixture();
  await service.invoke('Inspect', {});
  await expect(service.invoke('Inspect', { exit: true })).rejects.toMatchObject({
    failure: { errorType: 'Runtime.ExitError' },
  });
  await expect(service.invoke('Inspect', {})).resolves.toMatchObject({ invocations: 1 });
});

test('a handler that cannot be loaded says so', async () => {
  const assemblyDir = editedAssembly((resources) => {
    resources.Inspect.Properties.Handler = 'inspect.missing';
  });
  const { service } = await startFixture({ assemblyDir });
  await expect(service.invoke('Inspect', {})).rejects.toThrow('inspect.missing is undefined or not exported');
});

test('what a function prints is in its log file, and only errors, warnings and parked receipts are on the terminal', async () => {
  const shown: string[] = [];
  const log = { info: () => undefined, warn: (line: string) => shown.push(line) };
  const { service, printed } = await startFixture({ log });
  await service.invoke('Inspect', { print: '{"said":"something"}' });
  await service.invoke('Inspect', { print: '{"level":"WARN","message":"slow","secret":"x"}' });
  await service.invoke('Inspect', {
    print: '{"level":"INFO","messageId":"m-1","parkedReasons":{"too old":2}}',
  });
  await eventually('the log line', () => printed('Inspect')[0]);
  await eventually('what was parked', () => shown.length > 1);
  expect(printed('Inspect')).toEqual([{ said: 'something' }]);
  expect(shown).toEqual(['Inspect: WARN slow', 'Inspect: parked {"too old":2} of queue message m-1']);
});
