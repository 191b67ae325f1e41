import type { EngineEndpoints } from '../functions/function-environment.ts';
import type { FunctionPool } from '../functions/function-pool.ts';
import type { FaultPlan } from './fault-plan.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { faultyPool } from './faulty-pool.ts';

/** What the local service puts between its functions and everything around them. */
export interface FaultLayer {
  /** The addresses that functions get instead of the engines' own. */
  inFrontOf(engines: EngineEndpoints): Promise<EngineEndpoints & { stop(): Promise<void> }>;
  around(pool: FunctionPool, functionName: string): FunctionPool;
}

/** Only functions go through it: the runner's own calls, and those of a test, reach the engines directly. */
export const faultLayer = (plan: FaultPlan): FaultLayer => ({
  inFrontOf: async ({ dynamodb, sqs }) => {
    const [table, queue] = await Promise.all([
      startFaultProxy('dynamodb', dynamodb, plan),
      startFaultProxy('sqs', sqs, plan),
    ]);
    return {
      dynamodb: table.endpoint,
      sqs: queue.endpoint,
      stop: async () => {
        await Promise.all([table.stop(), queue.stop()]);
      },
    };
  },
  around: (pool, functionName) => faultyPool(pool, functionName, plan),
});
