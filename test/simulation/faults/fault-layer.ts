import type { EngineEndpoints } from '../../../local/functions/function-environment.ts';
import type { FunctionPool } from '../../../local/functions/function-pool.ts';
import type { FaultPlan } from './fault-plan.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { faultyPool } from './faulty-pool.ts';

/** What the local service puts between its functions and everything around them. */
export interface FaultLayer {
  /** The addresses that functions get instead of the engines' own. */
  inFrontOf(engines: EngineEndpoints): Promise<EngineEndpoints & { stop(): Promise<void> }>;
  around(pool: FunctionPool, functionName: string): FunctionPool;
}

/** Only functions go through it: the runner's own calls, and those of a test, reach the engines directly. */
export function faultLayer(plan: FaultPlan): FaultLayer {
  let proxies: readonly FaultProxy[] = [];
  const calmed = async (): Promise<void> => {
    await Promise.all(proxies.map((proxy) => proxy.calmed()));
  };
  return {
    inFrontOf: async ({ dynamodb, sqs }) => {
      const [table, queue] = await Promise.all([
        startFaultProxy('dynamodb', dynamodb, plan),
        startFaultProxy('sqs', sqs, plan),
      ]);
      proxies = [table, queue];
      return {
        dynamodb: table.endpoint,
        sqs: queue.endpoint,
        stop: async () => {
          await Promise.all([table.stop(), queue.stop()]);
        },
      };
    },
    around: (pool, functionName) => faultyPool(pool, functionName, { plan, calmed }),
  };
}
