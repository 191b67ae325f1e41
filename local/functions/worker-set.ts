import type { FunctionWorker } from './function-worker.ts';

/**
 * Loading a worker takes as much processor time as dozens of invocations, so another one is started only after an
 * invocation has waited this long while all are loaded. Workers load one at a time, because more would delay the first.
 */
const patienceMs = 50;

/** The workers of one function: hands an idle one out, or starts another while there may be more. */
export class WorkerSet {
  readonly #maxWorkers: number;
  readonly #start: () => FunctionWorker;
  readonly #workers = new Set<FunctionWorker>();
  /** Idle workers and when each was last used, the warmest last. */
  readonly #idle = new Map<FunctionWorker, number>();
  readonly #waiting: PromiseWithResolvers<FunctionWorker>[] = [];
  #isLoading = false;
  #patience: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(maxWorkers: number, start: () => FunctionWorker) {
    this.#maxWorkers = maxWorkers;
    this.#start = start;
  }

  acquire(): Promise<FunctionWorker> {
    const worker = [...this.#idle.keys()].at(-1);
    if (worker) {
      this.#idle.delete(worker);
      return Promise.resolve(worker);
    }
    const waiter = Promise.withResolvers<FunctionWorker>();
    this.#waiting.push(waiter);
    if (this.#workers.size === 0) this.#grow();
    else this.#growLater();
    return waiter.promise;
  }

  release(worker: FunctionWorker): void {
    if (this.#stopped || !worker.isAlive()) {
      this.#drop(worker);
      if (this.#waiting.length > 0) this.#grow();
      return;
    }
    const next = this.#waiting.shift();
    if (next) next.resolve(worker);
    else this.#idle.set(worker, Date.now());
  }

  dropIdleSince(ms: number): void {
    for (const [worker, since] of this.#idle) if (since < ms) this.#drop(worker);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#patience);
    for (const waiter of this.#waiting.splice(0)) waiter.reject(new Error('The function was stopped.'));
    await Promise.all([...this.#workers].map((worker) => worker.end()));
  }

  #drop(worker: FunctionWorker): void {
    this.#workers.delete(worker);
    this.#idle.delete(worker);
    worker.end();
  }

  #growLater(): void {
    this.#patience ??= setTimeout(() => {
      this.#patience = undefined;
      if (this.#waiting.length > 0) this.#grow();
    }, patienceMs);
  }

  #grow(): void {
    if (this.#stopped || this.#workers.size >= this.#maxWorkers || this.#isLoading) return;
    const worker = this.#start();
    this.#workers.add(worker);
    this.#isLoading = true;
    worker.loaded.then(() => {
      this.#isLoading = false;
      const next = this.#waiting.shift();
      // A worker that could not load takes the invocation all the same, and fails it with the reason.
      if (next) next.resolve(worker);
      else this.release(worker);
      if (this.#waiting.length > 0) this.#growLater();
    });
  }
}
