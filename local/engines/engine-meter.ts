import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { EngineEndpoints } from '../functions/function-environment.ts';
import type { FunctionPool } from '../functions/function-pool.ts';
import { type Consumed, shortName } from './consumption.ts';

/**
 * Limits the instances of each function: on a busy machine ten of them slow each other down until the partner counts as
 * slow, and its callbacks pass through one more queue, which would be counted too.
 */
const maxConcurrency = 2;

export type EngineMeter = Awaited<ReturnType<typeof startMeter>>;

/**
 * Counts what each function consumes, by proxies between the functions and the engines. The functions run exactly as
 * they were built, and the runner's own calls are not counted. Refused conditional writes report no units and count as
 * 0, although AWS bills them.
 */
export async function startMeter({ dynamodb, sqs }: EngineEndpoints) {
  const thread = new Worker(new URL('./meter-thread.ts', import.meta.url), { workerData: { dynamodb, sqs } });
  const [endpoints] = (await once(thread, 'message')) as [EngineEndpoints];
  const invocations: Consumed[] = [];
  const held = new Map<string, Promise<void>>();
  return {
    /** The proxies in front of the engines: functions get these addresses instead of the engines'. */
    endpoints,
    wrapPool: (pool: FunctionPool, functionName: string): FunctionPool => ({
      ...pool,
      concurrency: Math.min(pool.concurrency, maxConcurrency),
      invoke: async (event, options) => {
        const name = shortName(functionName);
        await held.get(name);
        invocations.push({ functionName: name, invocations: 1 });
        return pool.invoke(event, options);
      },
    }),
    /** Returns the consumption since the previous call. */
    taken: async (): Promise<readonly Consumed[]> => {
      const answered = once(thread, 'message') as Promise<[Consumed[]]>;
      thread.postMessage('take');
      const [calls] = await answered;
      return [...calls, ...invocations.splice(0)];
    },
    /** Invocations of the function wait until the returned function is called. */
    hold: (functionName: string): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(functionName, promise);
      return () => {
        held.delete(functionName);
        resolve();
      };
    },
    stop: async (): Promise<void> => {
      await thread.terminate();
    },
  };
}
