import type { Interception } from '../../../local/interception.ts';
import type { FaultPlan } from './fault-plan.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { faultyPool } from './faulty-pool.ts';

/** Injects the plan's faults into the calls and the invocations of the local service's functions. */
export function faultLayer(plan: FaultPlan): Interception {
  let proxies: readonly FaultProxy[] = [];
  const idle = async (): Promise<void> => {
    await Promise.all(proxies.map((proxy) => proxy.idle()));
  };
  return {
    proxyEngines: async ({ dynamodb, sqs }) => {
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
    wrapPool: (pool, functionName) => faultyPool(pool, functionName, { plan, idle }),
  };
}
