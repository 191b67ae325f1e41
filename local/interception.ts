import type { EngineEndpoints } from './functions/function-environment.ts';
import type { FunctionPool } from './functions/function-pool.ts';

/**
 * Lets a caller of the runner see what the functions do. It stands between the functions and everything around them;
 * the runner's own calls reach the engines directly.
 */
export interface Interception {
  /** Puts a proxy in front of each engine: the functions get its address instead of the engine's. */
  proxyEngines(engines: EngineEndpoints): Promise<EngineEndpoints & { stop(): Promise<void> }>;
  /** Wraps the pool that runs one function's invocations. */
  wrapPool(pool: FunctionPool, functionName: string): FunctionPool;
}
