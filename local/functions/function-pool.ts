import { randomBytes, randomUUID } from 'node:crypto';
import type { FunctionModel } from '../template/functions.ts';
import { EventTooLargeError, FunctionError, ThrottledError } from './function-error.ts';
import type { FunctionLog } from './function-log.ts';
import { type FunctionWorker, startWorker } from './function-worker.ts';
import type { FunctionFailure } from './messages.ts';
import { WorkerSet } from './worker-set.ts';

/** Lambda's limits of a synchronous invocation: 6 MiB in, a little more out. */
export const maxEventBytes = 6_291_456;
export const maxResponseBytes = 6_291_556;

/** Lambda would go on to 1,000; more threads than this only make a developer's machine slower. */
const maxWorkers = 10;
const idleMs = 120_000;

export interface InvokeOptions {
  /** What to do while all reserved workers are busy: pollers wait, the gateway is refused as by Lambda. */
  readonly whenBusy?: 'wait' | 'refuse';
  /** Ends the worker so long after the invocation began, should it still run: for tests of what follows. */
  readonly endAfterMs?: number;
}

/** The answer of a function, as JSON text. */
export interface InvocationResult {
  readonly payload: string;
  readonly requestId: string;
}

export interface FunctionPool {
  /** How many invocations can run at once. */
  readonly concurrency: number;
  invoke(event: unknown, options?: InvokeOptions): Promise<InvocationResult>;
  /** Later invocations run other code; those under way end as they began. */
  replaceCode(model: FunctionModel): void;
  stop(): Promise<void>;
}

interface PoolParts {
  readonly model: FunctionModel;
  readonly environmentOf: (model: FunctionModel) => Record<string, string>;
  readonly log: FunctionLog;
}

function hex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

function traceId(): string {
  const seconds = Math.floor(Date.now() / 1000).toString(16);
  return `Root=1-${seconds}-${hex(12)};Parent=${hex(8)};Sampled=0`;
}

function isFailure(reason: unknown): reason is FunctionFailure {
  return typeof reason === 'object' && reason !== null && 'errorMessage' in reason;
}

const tooLargeResponse: FunctionFailure = {
  errorType: 'Function.ResponseSizeTooLarge',
  errorMessage: `Response payload size exceeded maximum allowed payload size (${maxResponseBytes} bytes).`,
  trace: [],
};

/** Runs one invocation and puts what went wrong into Lambda's words. */
async function run(worker: FunctionWorker, event: string, log: FunctionLog): Promise<InvocationResult> {
  const requestId = randomUUID();
  try {
    const payload = await worker.invoke({ requestId, event, traceId: traceId() });
    if (Buffer.byteLength(payload) > maxResponseBytes) throw tooLargeResponse;
    return { payload, requestId };
  } catch (reason) {
    const failure = reason instanceof FunctionError ? undefined : reason;
    if (failure !== undefined && !isFailure(failure)) throw failure;
    const error = failure ? new FunctionError(failure, requestId) : (reason as FunctionError);
    const { errorType, message: errorMessage, trace } = error;
    log.write(
      JSON.stringify({ level: 'ERROR', message: 'Invoke Error', requestId, errorType, errorMessage, trace }),
    );
    throw error;
  }
}

export function createPool({ model: firstModel, environmentOf, log }: PoolParts): FunctionPool {
  let model = firstModel;
  const reserved = firstModel.reservedConcurrency ?? Number.POSITIVE_INFINITY;
  const concurrency = Math.min(maxWorkers, reserved);
  const workers = new WorkerSet({
    maxWorkers: concurrency,
    start: () => startWorker(model, environmentOf(model), log),
  });
  const dropIdle = setInterval(() => workers.dropIdleSince(Date.now() - idleMs), idleMs / 4).unref();

  const isThrottled = (whenBusy: 'wait' | 'refuse'): boolean =>
    concurrency === 0 || (whenBusy === 'refuse' && reserved <= maxWorkers && workers.isFull);

  return {
    concurrency,
    invoke: async (event, { whenBusy = 'wait', endAfterMs } = {}) => {
      const text = JSON.stringify(event) ?? 'null';
      if (Buffer.byteLength(text) > maxEventBytes) throw new EventTooLargeError(maxEventBytes);
      if (isThrottled(whenBusy)) throw new ThrottledError(model.name);
      const worker = await workers.acquire();
      const ending = endAfterMs === undefined ? undefined : setTimeout(() => worker.end(), endAfterMs);
      try {
        return await run(worker, text, log);
      } finally {
        clearTimeout(ending);
        workers.release(worker);
      }
    },
    replaceCode: (next) => {
      model = next;
      workers.retire();
    },
    stop: async () => {
      clearInterval(dropIdle);
      await workers.stop();
      log.close();
    },
  };
}
