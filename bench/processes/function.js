// Loads one function (its module is the argument) and invokes it on request. It is plain JavaScript, because stripping
// types would load a compiler first. Times include all threads and garbage collection.
import { setTimeout as delay } from 'node:timers/promises';

const context = {
  awsRequestId: '00000000-0000-4000-8000-000000000000',
  functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
  functionVersion: '$LATEST',
  invokedFunctionArn: `arn:aws:lambda:eu-central-1:000000000000:function:${process.env.AWS_LAMBDA_FUNCTION_NAME}`,
  memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
  getRemainingTimeInMillis: () => 29_000,
};

function now() {
  const { user, system } = process.cpuUsage();
  return { cpuUs: user + system, wallMs: performance.now() };
}

function since(before) {
  const { cpuUs, wallMs } = now();
  return { cpuUs: cpuUs - before.cpuUs, wallMs: wallMs - before.wallMs };
}

async function run({ handler, prepare }, events) {
  // Only a bare handler prepares: it turns the recorded calls of an event into commands.
  const ready = prepare ? events.map(prepare) : events;
  const responses = [];
  // Let work of the message and of the preparation end before measuring.
  await delay(2);
  const startedAt = now();
  for (const event of ready) responses.push(await handler(event, context));
  return { ...since(startedAt), responses };
}

process.on('disconnect', () => process.exit());
try {
  const startedAt = now();
  const loaded = await import(process.argv[2]);
  process.send({ done: since(startedAt) });
  process.on('message', async (events) => {
    try {
      process.send({ done: await run(loaded, events) });
    } catch (error) {
      process.send({ failure: error.stack });
    }
  });
} catch (error) {
  process.send({ failure: error.stack });
}
