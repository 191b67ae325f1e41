import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { arn } from '../template/account.ts';
import type { FunctionModel } from '../template/service-model.ts';
import { describeFailure, type FunctionFailure } from './function-error.ts';

export type InvocationMessage = {
  requestId: string;
  /** JSON text, as Lambda passes it. */
  event: string;
  deadlineMs: number;
};

/** The thread first says whether it has loaded the function, then sends the result of each invocation. */
export type WorkerMessage = { payload: string } | { failure: FunctionFailure };

type Handler = (event: unknown, context: object) => unknown;

const model = workerData as FunctionModel;

/** A thread ignores V8's options in NODE_OPTIONS, which a Lambda process obeys, so this one is applied by hand. */
const [, stackTraceLimit] = /--stack-trace-limit=(\d+)/.exec(process.env['NODE_OPTIONS'] ?? '') ?? [];
if (stackTraceLimit) Error.stackTraceLimit = Number(stackTraceLimit);

async function loadHandler(): Promise<Handler> {
  const [module = '', name = ''] = model.handler.split('.');
  const file = join(model.codeFolder, `${module}.mjs`);
  const handler = (await import(pathToFileURL(file).href))[name];
  if (typeof handler !== 'function') throw new Error(`${model.handler} is undefined or not exported`);
  return handler;
}

function makeContext({ requestId, deadlineMs }: InvocationMessage) {
  return {
    awsRequestId: requestId,
    functionName: model.name,
    functionVersion: '$LATEST',
    invokedFunctionArn: arn('lambda', `function:${model.name}`),
    memoryLimitInMB: String(model.memoryMb),
    logGroupName: `/aws/lambda/${model.name}`,
    logStreamName: process.env['AWS_LAMBDA_LOG_STREAM_NAME'] ?? '',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadlineMs - Date.now()),
  };
}

/** Waits until the output has arrived. As in Lambda, an invocation ends after that. */
async function flush(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.writableLength > 0) await new Promise((resolve) => stream.write('', resolve));
}

async function send(message: WorkerMessage): Promise<void> {
  await Promise.all([flush(process.stdout), flush(process.stderr)]);
  parentPort?.postMessage(message);
}

async function invoke(handler: Handler, message: InvocationMessage): Promise<void> {
  try {
    const response = await handler(JSON.parse(message.event), makeContext(message));
    await send({ payload: JSON.stringify(response) ?? 'null' });
  } catch (error) {
    await send({ failure: describeFailure(error) });
  }
}

delete process.env['NODE_COMPILE_CACHE'];
try {
  const handler = await loadHandler();
  // The thread is terminated, so it cannot write the cache when it ends.
  flushCompileCache();
  parentPort?.on('message', (message: InvocationMessage) => invoke(handler, message));
  send({ payload: 'loaded' });
} catch (error) {
  send({ failure: describeFailure(error) });
}
