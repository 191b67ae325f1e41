import { Worker } from 'node:worker_threads';
import { arn } from '../template/account.ts';
import type { FunctionModel } from '../template/functions.ts';
import { FunctionError } from './function-error.ts';
import type { FunctionLog } from './function-log.ts';
import type { FunctionFailure, InvocationMessage, WorkerMessage, WorkerSetup } from './messages.ts';

/** One execution environment: a thread that runs one invocation at a time. */
export interface FunctionWorker {
  /** Settles when the handler's module has loaded. */
  readonly loaded: Promise<void>;
  /** False after a crash or a timeout: it cannot be used again. */
  isAlive(): boolean;
  invoke(message: Omit<InvocationMessage, 'deadlineMs'>): Promise<string>;
  end(): Promise<void>;
}

type Settle = { resolve(payload: string): void; reject(failure: FunctionFailure): void };

function timedOut(requestId: string, seconds: number): FunctionFailure {
  return {
    errorType: 'Sandbox.Timedout',
    errorMessage: `RequestId: ${requestId} Error: Task timed out after ${seconds.toFixed(2)} seconds`,
    trace: [],
  };
}

function exited(requestId: string): FunctionFailure {
  return {
    errorType: 'Runtime.ExitError',
    errorMessage: `RequestId: ${requestId} Error: Runtime exited without providing a reason`,
    trace: [],
  };
}

function uncaught(error: unknown): FunctionFailure {
  return {
    errorType: error instanceof Error ? error.name : 'Error',
    errorMessage: error instanceof Error ? error.message : String(error),
    trace: error instanceof Error ? (error.stack ?? '').split('\n') : [],
  };
}

function startThread(model: FunctionModel, environment: Record<string, string>): Worker {
  const setup: WorkerSetup = {
    codeFolder: model.codeFolder,
    handler: model.handler,
    functionName: model.name,
    functionArn: arn('lambda', `function:${model.name}`),
    memoryMb: model.memoryMb,
  };
  return new Worker(new URL('./worker-thread.ts', import.meta.url), {
    workerData: setup,
    env: environment,
    // Nothing of what Node was told about this process, either.
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: model.memoryMb },
  });
}

/** Starts a worker of the function; what it prints goes to `log`. */
export function startWorker(
  model: FunctionModel,
  environment: Record<string, string>,
  log: FunctionLog,
): FunctionWorker {
  const thread = startThread(model, environment);
  log.follow(thread.stdout);
  log.follow(thread.stderr);
  let alive = true;
  let running: (Settle & { readonly requestId: string }) | undefined;
  const { promise: loaded, resolve: load, reject: breakLoad } = Promise.withResolvers<void>();

  const fail = (failure: FunctionFailure): void => {
    alive = false;
    breakLoad(new FunctionError(failure, ''));
    running?.reject(failure);
    running = undefined;
  };
  thread.on('message', (message: WorkerMessage) => {
    if (message.kind === 'ready') return load();
    if (message.kind === 'broken') return fail({ ...message.failure, errorType: message.failure.errorType });
    const settle = running;
    running = undefined;
    return message.kind === 'response' ? settle?.resolve(message.payload) : settle?.reject(message.failure);
  });
  thread.on('error', (error) => fail(uncaught(error)));
  thread.on('exit', () => fail(exited(running?.requestId ?? '')));
  // Nobody may be waiting when a spare worker breaks.
  loaded.catch(() => undefined);

  const invoke: FunctionWorker['invoke'] = async (message) => {
    await loaded;
    const { promise, ...settle } = Promise.withResolvers<string>();
    running = { ...settle, requestId: message.requestId };
    const timeoutMs = model.timeoutSeconds * 1000;
    // As in Lambda, loading does not count.
    const timer = setTimeout(() => {
      fail(timedOut(message.requestId, model.timeoutSeconds));
      thread.terminate();
    }, timeoutMs);
    thread.postMessage({ ...message, deadlineMs: Date.now() + timeoutMs } satisfies InvocationMessage);
    return promise.finally(() => clearTimeout(timer));
  };
  return {
    loaded,
    isAlive: () => alive,
    invoke,
    end: async () => {
      alive = false;
      await thread.terminate();
    },
  };
}
