import type { FunctionWorker } from './function-worker.ts';

/**
 * Loading a worker takes as much processor time as dozens of invocations, so another one is started only after an
 * invocation has waited this long while all are loaded. Workers load one at a time, because more would delay the first.
 */
const patienceMs = 50;
const idleMs = 120_000;

/** The workers of one function: hands an idle one out, or starts another while there may be more. */
export function workerSet(maxWorkers: number, start: () => FunctionWorker) {
  const workers = new Set<FunctionWorker>();
  /** Idle workers, the warmest last, and the timers that end them. */
  const idle = new Map<FunctionWorker, NodeJS.Timeout>();
  const waiting: PromiseWithResolvers<FunctionWorker>[] = [];
  let isLoading = false;
  let patience: NodeJS.Timeout | undefined;
  let stopped = false;

  const takeFromIdle = (worker: FunctionWorker): void => {
    clearTimeout(idle.get(worker));
    idle.delete(worker);
  };

  const drop = (worker: FunctionWorker): void => {
    workers.delete(worker);
    takeFromIdle(worker);
    worker.end();
  };

  const growLater = (): void => {
    patience ??= setTimeout(() => {
      patience = undefined;
      if (waiting.length > 0) grow();
    }, patienceMs);
  };

  const grow = (): void => {
    if (stopped || workers.size >= maxWorkers || isLoading) return;
    const worker = start();
    workers.add(worker);
    isLoading = true;
    worker.loaded.then(() => {
      isLoading = false;
      const next = waiting.shift();
      // A worker that could not load takes the invocation all the same, and fails it with the reason.
      if (next) next.resolve(worker);
      else release(worker);
      if (waiting.length > 0) growLater();
    });
  };

  const release = (worker: FunctionWorker): void => {
    if (stopped || !worker.isAlive()) {
      drop(worker);
      if (waiting.length > 0) grow();
      return;
    }
    const next = waiting.shift();
    if (next) next.resolve(worker);
    else idle.set(worker, setTimeout(drop, idleMs, worker).unref());
  };

  return {
    acquire: async (): Promise<FunctionWorker> => {
      const worker = [...idle.keys()].at(-1);
      if (worker) {
        takeFromIdle(worker);
        return worker;
      }
      const waiter = Promise.withResolvers<FunctionWorker>();
      waiting.push(waiter);
      if (workers.size === 0) grow();
      else growLater();
      return waiter.promise;
    },
    release,
    stop: async (): Promise<void> => {
      stopped = true;
      clearTimeout(patience);
      for (const waiter of waiting.splice(0)) waiter.reject(new Error('The function was stopped.'));
      await Promise.all([...workers].map((worker) => worker.end()));
    },
  };
}
