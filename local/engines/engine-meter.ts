import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { EngineEndpoints } from '../functions/function-environment.ts';
import type { Consumed } from './consumption.ts';

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
 * no units and count as 0, although AWS bills them. A call that was answered counts once, however often it was tried.
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
  return {
    /** The proxies in front of the engines: functions get these addresses instead of the engines'. */
    endpoints,
    /** Returns the consumption since the previous call. */
    taken: (): Promise<readonly Consumed[]> => take('consumed'),
    /** Returns a sentence for each call that a role did not allow since the previous call. */
    refused: (): Promise<readonly string[]> => take('refused'),
    stop: async (): Promise<void> => {
      await thread.terminate();
    },
  };
}
