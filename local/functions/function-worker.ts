import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { FunctionModel } from '../template/service-model.ts';
import { FunctionError } from './function-error.ts';
import { followLines } from './function-log.ts';
import { type FunctionFailure, failureOf, type InvocationMessage, type WorkerMessage } from './messages.ts';

/** One execution environment: a thread that runs one invocation at a time. */
export type FunctionWorker = ReturnType<typeof startWorker>;

interface Running {
  readonly requestId: string;
  resolve(payload: string): void;
  reject(failure: FunctionFailure): void;
}

function failed(errorType: string, requestId: string, reason: string): FunctionFailure {
  return { errorType, errorMessage: `RequestId: ${requestId} Error: ${reason}`, trace: [] };
}

function startThread(model: FunctionModel, environment: Record<string, string>): Worker {
  const { NODE_COMPILE_CACHE } = process.env;
  return new Worker(new URL('./worker-thread.ts', import.meta.url), {
    workerData: model,
    // The thread uses the compile cache itself and hides the variable from the function.
    env: { ...environment, ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}) },
    // The function does not inherit the options that Node was started with.
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: model.memoryMb },
  });
}

/** Starts a worker of the function; what it prints goes to `write`, line by line. */
export function startWorker(
  model: FunctionModel,
  environment: Record<string, string>,
  write: (line: string) => void,
) {
  const thread = startThread(model, environment);
  const printed = Promise.all([followLines(thread.stdout, write), followLines(thread.stderr, write)]);
  let failure: FunctionFailure | undefined;
  let alive = true;
  let running: Running | undefined;
  const loading = Promise.withResolvers<void>();

  const fail = (reason: FunctionFailure): void => {
    alive = false;
    failure ??= reason;
    loading.resolve();
    running?.reject(reason);
    running = undefined;
  };
  thread.on('message', (message: WorkerMessage) => {
    if (message.kind === 'ready') return loading.resolve();
    if (message.kind === 'broken') return fail(message.failure);
    const ended = running;
    running = undefined;
    return message.kind === 'response' ? ended?.resolve(message.payload) : ended?.reject(message.failure);
  });
  thread.on('error', (error: Error) => fail(failureOf(error)));
  thread.on('exit', () =>
    fail(failed('Runtime.ExitError', running?.requestId ?? '', 'Runtime exited without providing a reason')),
  );

  const run = async (event: string, requestId: string): Promise<string> => {
    await loading.promise;
    if (failure) throw failure;
    const { promise, ...settle } = Promise.withResolvers<string>();
    running = { ...settle, requestId };
    const timeoutMs = model.timeoutSeconds * 1000;
    // The time to load the function does not count, as in Lambda.
    const timer = setTimeout(() => {
      const reason = `Task timed out after ${model.timeoutSeconds.toFixed(2)} seconds`;
      fail(failed('Sandbox.Timedout', requestId, reason));
      thread.terminate();
    }, timeoutMs);
    const deadlineMs = Date.now() + timeoutMs;
    thread.postMessage({ requestId, event, deadlineMs } satisfies InvocationMessage);
    return promise.finally(() => clearTimeout(timer));
  };

  return {
    loaded: loading.promise,
    /** False after a crash or a timeout: it cannot be used again. */
    isAlive: () => alive,
    /** Returns the payload as JSON text. Rejects with a `FunctionError` when the function fails. */
    invoke: async (event: string) => {
      const requestId: string = randomUUID();
      try {
        return { payload: await run(event, requestId), requestId };
      } catch (reason) {
        throw new FunctionError(reason as FunctionFailure, requestId);
      }
    },
    /** Ends the thread, and waits until all that it printed is written. */
    end: async () => {
      alive = false;
      await thread.terminate();
      await printed;
    },
  };
}
