// Loads one function in a process that has loaded nothing else, and invokes it once. Plain JavaScript: stripping
// types would load a compiler first. Arguments: the module, its sample event. The times go to file descriptor 3.
import { readFileSync, writeSync } from 'node:fs';

const [, , file, eventFile] = process.argv;
const event = JSON.parse(readFileSync(eventFile, 'utf8'));
const context = {
  awsRequestId: '00000000-0000-4000-8000-000000000000',
  functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
  functionVersion: '$LATEST',
  invokedFunctionArn: `arn:aws:lambda:eu-central-1:000000000000:function:${process.env.AWS_LAMBDA_FUNCTION_NAME}`,
  memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
  getRemainingTimeInMillis: () => 29_000,
};

function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const startedAt = performance.now();
const cpuAtStart = cpuMs();
const { handler } = await import(file);
const loadedAt = performance.now();
const cpuLoaded = cpuMs();
const response = await handler(event, context);
const endedAt = performance.now();
const cpuAtEnd = cpuMs();

const load = { wallMs: loadedAt - startedAt, cpuMs: cpuLoaded - cpuAtStart };
const first = { wallMs: endedAt - loadedAt, cpuMs: cpuAtEnd - cpuLoaded };
writeSync(3, JSON.stringify({ load, first, response }));
process.exit(0);
