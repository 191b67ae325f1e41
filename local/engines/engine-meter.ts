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

export type Metering = {
  engines: EngineEndpoints;
  /** The folder of the templates. Calls of the table that the role of a function does not allow are refused, as in AWS. */
  rolesIn?: string | undefined;
  counting: boolean;
};

/** The thread has noted these calls since it was last asked. */
export type Metered = { consumed: Consumed[]; refused: string[] };

/**
 * Puts proxies between the functions and the engines, which count what each function consumes, and check the roles. The
 * functions run exactly as they were built, and the runner's own calls are not counted. Refused conditional writes report
 * no units and count as 0, although AWS bills them.
 */
export async function startMeter(
  { dynamodb, sqs }: EngineEndpoints,
  { rolesIn, counting = true }: Partial<Metering> = {},
) {
  const workerData: Metering = { engines: { dynamodb, sqs }, rolesIn, counting };
  const thread = new Worker(new URL('./meter-thread.ts', import.meta.url), { workerData });
  const [endpoints] = (await once(thread, 'message')) as [EngineEndpoints];
  const take = async <What extends keyof Metered>(what: What): Promise<Metered[What]> => {
    const answered = once(thread, 'message') as Promise<[Metered[What]]>;
    thread.postMessage(what);
    const [list] = await answered;
    return list;
  };
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
    taken: async (): Promise<readonly Consumed[]> => [...(await take('consumed')), ...invocations.splice(0)],
    /** Returns a sentence for each call that a role did not allow since the previous call. */
    refused: (): Promise<readonly string[]> => take('refused'),
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
