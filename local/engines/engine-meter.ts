import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { EngineEndpoints } from '../functions/function-environment.ts';
import type { Interception } from '../interception.ts';
import { type Consumption, shortName, sum } from './consumption.ts';

/** By function: `SendBulk`. */
export interface Taken {
  /** What was consumed since the last time. */
  readonly byFunction: ReadonlyMap<string, Consumption>;
  /** The operations that were called so far: `PutItem`, `SendMessageBatch`. */
  readonly called: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Ten instances that call back at once slow each other down on a busy machine, until the partner counts as slow and its
 * callbacks take a detour that is counted too.
 */
const maxConcurrency = 2;

export interface EngineMeter extends Interception {
  taken(): Promise<Taken>;
  /** Invocations of the function wait until the returned function is called. */
  hold(functionName: string): () => void;
}

/**
 * Stands in front of the engines and adds up what each function consumed: the functions run exactly as they were built.
 * Refused conditional writes, which AWS bills too, do not report their units and count as 0.
 */
export function engineMeter(): EngineMeter {
  let thread: Worker | undefined;
  const invocations = new Map<string, number>();
  const held = new Map<string, Promise<void>>();
  return {
    proxyEngines: async ({ dynamodb, sqs }) => {
      const started = new Worker(new URL('./meter-thread.ts', import.meta.url), {
        workerData: { dynamodb, sqs },
      });
      thread = started;
      const [endpoints] = (await once(started, 'message')) as [EngineEndpoints];
      const stop = async () => {
        await started.terminate();
      };
      return { ...endpoints, stop };
    },
    wrapPool: (pool, functionName) => ({
      ...pool,
      concurrency: Math.min(pool.concurrency, maxConcurrency),
      invoke: async (event, options) => {
        const name = shortName(functionName);
        await held.get(name);
        invocations.set(name, (invocations.get(name) ?? 0) + 1);
        return pool.invoke(event, options);
      },
    }),
    taken: async () => {
      if (!thread) throw new Error('the meter has no engines yet');
      const answered = once(thread, 'message') as Promise<[Taken]>;
      thread.postMessage('take');
      const [{ byFunction, called }] = await answered;
      const all = new Map(byFunction);
      for (const [name, count] of invocations) all.set(name, sum(all.get(name), { invocations: count }));
      invocations.clear();
      return { byFunction: all, called };
    },
    hold: (name) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(name, promise);
      return () => {
        held.delete(name);
        resolve();
      };
    },
  };
}
