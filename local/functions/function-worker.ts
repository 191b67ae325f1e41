import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { FunctionModel } from '../template/service-model.ts';
import { describeFailure, FunctionError, type FunctionFailure } from './function-error.ts';
import { followLines } from './function-log.ts';
import type { InvocationMessage, WorkerMessage } from './worker-thread.ts';

/** One execution environment: a thread that runs one invocation at a time. */
export type FunctionWorker = ReturnType<typeof startWorker>;

function failed(errorType: string, requestId: string, reason: string): FunctionFailure {
  return { errorType, errorMessage: `RequestId: ${requestId} Error: ${reason}`, trace: [] };
}

/** Starts a worker of the function; what it prints goes to `write`, line by line. */
export function startWorker(
  model: FunctionModel,
  environment: Record<string, string>,
  write: (line: string) => void,
) {
  const { NODE_COMPILE_CACHE } = process.env;
  const thread = new Worker(new URL('./worker-thread.ts', import.meta.url), {
    workerData: model,
    // The thread uses the compile cache itself and hides the variable from the function.
    env: { ...environment, ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}) },
    // The function does not inherit the options that Node was started with.
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: model.memoryMb },
  });
  const printed = Promise.all([followLines(thread.stdout, write), followLines(thread.stderr, write)]);
  /** Why it cannot be used any more. */
  let broken: FunctionFailure | undefined;
  let requestId = '';
  let receive = (_message: WorkerMessage): void => undefined;
  const nextMessage = () =>
    new Promise<WorkerMessage>((resolve) => {
      receive = resolve;
    });
  const fail = (failure: FunctionFailure): void => {
    broken ??= failure;
    receive({ failure });
  };
  thread.on('message', (message: WorkerMessage) => receive(message));
  thread.on('error', (error: Error) => fail(describeFailure(error)));
  thread.on('exit', () =>
    fail(failed('Runtime.ExitError', requestId, 'Runtime exited without providing a reason')),
  );
  const loaded = nextMessage().then((message) => {
    if ('failure' in message) broken ??= message.failure;
  });

  const run = async (event: string): Promise<WorkerMessage> => {
    const timeoutMs = model.timeoutSeconds * 1000;
    const timer = setTimeout(() => {
      const reason = `Task timed out after ${model.timeoutSeconds.toFixed(2)} seconds`;
      fail(failed('Sandbox.Timedout', requestId, reason));
      thread.terminate();
    }, timeoutMs);
    const deadlineMs = Date.now() + timeoutMs;
    thread.postMessage({ requestId, event, deadlineMs } satisfies InvocationMessage);
    return nextMessage().finally(() => clearTimeout(timer));
  };

  return {
    loaded,
    /** False after a crash or a timeout: it cannot be used again. */
    isAlive: () => broken === undefined,
    /** Returns the payload as JSON text. Rejects with a `FunctionError` when the function fails. */
    invoke: async (event: string) => {
      requestId = randomUUID();
      // The time to load the function does not count, as in Lambda.
      await loaded;
      const message = broken ? { failure: broken } : await run(event);
      if ('failure' in message) throw new FunctionError(message.failure, requestId);
      return { payload: message.payload, requestId };
    },
    /** Ends the thread, and waits until all that it printed is written. */
    end: async () => {
      await thread.terminate();
      await printed;
    },
  };
}
