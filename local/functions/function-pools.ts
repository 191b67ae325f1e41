import type { Engines } from '../engines/engines.ts';
import type { Interception } from '../interception.ts';
import type { Log } from '../log.ts';
import type { ServiceModel } from '../template/service-model.ts';
import { type EngineEndpoints, functionEnvironment } from './function-environment.ts';
import { openFunctionLog } from './function-log.ts';
import { createPool, type FunctionPool } from './function-pool.ts';

export function createPools(
  model: ServiceModel,
  endpoints: EngineEndpoints,
  parts: { logs: string; log: Log; retrySpeed: number; interception: Interception | undefined },
) {
  const pools = model.functions.map((fn) => {
    const log = openFunctionLog(parts.logs, fn.name, parts.log);
    const environmentOf = (present: typeof fn) => functionEnvironment(present, endpoints, parts.retrySpeed);
    const pool = createPool({ model: fn, environmentOf, log });
    return [fn.name, parts.interception?.wrapPool(pool, fn.name) ?? pool] as const;
  });
  return new Map(pools);
}

/** The engines as functions see them. */
export async function inFrontOf(
  engines: Engines,
  interception: Interception | undefined,
  cleanup: { add(end: () => Promise<void>): void },
): Promise<EngineEndpoints> {
  const own = { dynamodb: engines.dynamodbEndpoint, sqs: engines.sqsEndpoint };
  if (!interception) return own;
  const { stop, ...endpoints } = await interception.proxyEngines(own);
  cleanup.add(stop);
  return endpoints;
}

export function poolOf(pools: ReadonlyMap<string, FunctionPool>, name: string): FunctionPool {
  const pool = pools.get(name);
  if (!pool) throw new Error(`There is no function "${name}"; there are ${[...pools.keys()].join(', ')}.`);
  return pool;
}
