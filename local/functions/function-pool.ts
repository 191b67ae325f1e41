import type { FunctionModel } from '../template/service-model.ts';
import { FunctionError, RefusedInvocationError } from './function-error.ts';
import type { FunctionLog } from './function-log.ts';
import { type FunctionWorker, startWorker } from './function-worker.ts';
import { workerSet } from './worker-set.ts';

/** Lambda limits a synchronous invocation to an event of 6 MiB and a response of a little more. */
const maxEventBytes = 6_291_456;
const maxResponseBytes = 6_291_556;

/** Lambda starts up to 1,000 instances. More threads than this only make a developer's machine slower. */
const maxWorkers = 10;

export type FunctionPool = ReturnType<typeof functionPool>;

/** Finds the pool of a function by its name. */
export type PoolOf = (functionName: string) => Pick<FunctionPool, 'invoke'>;

/** Runs one invocation and logs a failure as Lambda does. */
async function run(worker: FunctionWorker, event: string, log: FunctionLog) {
  try {
    const result = await worker.invoke(event);
    if (Buffer.byteLength(result.payload) <= maxResponseBytes) return result;
    const errorMessage = `Response payload size exceeded maximum allowed payload size (${maxResponseBytes} bytes).`;
    const errorType = 'Function.ResponseSizeTooLarge';
    throw new FunctionError({ errorType, errorMessage, trace: [] }, result.requestId);
  } catch (error) {
    if (error instanceof FunctionError) {
      const { requestId } = error;
      const line = { level: 'ERROR', message: 'Invoke Error', requestId, ...error.failure };
      log.write(JSON.stringify(line));
    }
    throw error;
  }
}

export function functionPool(model: FunctionModel, environment: Record<string, string>, log: FunctionLog) {
  const reserved = model.reservedConcurrency ?? Number.POSITIVE_INFINITY;
  const concurrency = Math.min(maxWorkers, reserved);
  const workers = workerSet(concurrency, () => startWorker(model, environment, log.write));

  // Counts invocations that run or wait for a worker. In Lambda each would occupy an instance.
  let underWay = 0;

  return {
    concurrency,
    /** While all reserved executions are busy, pollers wait, and the gateway is throttled as by Lambda. */
    invoke: async (event: unknown, { whenBusy }: { whenBusy?: 'throttle' } = {}) => {
      const text = JSON.stringify(event) ?? 'null';
      if (Buffer.byteLength(text) > maxEventBytes) {
        const sentence = `Request must be smaller than ${maxEventBytes} bytes for the InvokeFunction operation`;
        throw new RefusedInvocationError(413, sentence);
      }
      if (whenBusy === 'throttle' && underWay >= reserved) {
        const sentence = `Rate exceeded: all of the reserved concurrency of ${model.name} is in use`;
        throw new RefusedInvocationError(503, sentence);
      }
      underWay += 1;
      try {
        const worker = await workers.acquire();
        return await run(worker, text, log).finally(() => workers.release(worker));
      } finally {
        underWay -= 1;
      }
    },
    stop: async (): Promise<void> => {
      await workers.stop();
      log.close();
    },
  };
}
