import type { EngineMeter } from '../engines/engine-meter.ts';
import type { Log } from '../log.ts';
import type { FunctionModel } from '../template/service-model.ts';
import { type EngineEndpoints, functionEnvironment, type LocalPace } from './function-environment.ts';
import { openFunctionLog } from './function-log.ts';
import { createPool, type FunctionPool } from './function-pool.ts';

export type FunctionPools = ReturnType<typeof createPools>;

interface PoolsParts {
  readonly functions: readonly FunctionModel[];
  /** The engines as the functions see them. */
  readonly endpoints: EngineEndpoints;
  readonly pace: LocalPace;
  readonly logFolder: string;
  readonly log: Log;
  readonly meter: EngineMeter | undefined;
}

export function createPools(parts: PoolsParts) {
  const pools = new Map(
    parts.functions.map((model) => {
      const log = openFunctionLog(parts.logFolder, model.name, parts.log);
      const pool = createPool(model, functionEnvironment(model, parts.endpoints, parts.pace), log);
      return [model.name, parts.meter?.wrapPool(pool, model.name) ?? pool];
    }),
  );
  return {
    of: (name: string): FunctionPool => {
      const pool = pools.get(name);
      if (!pool)
        throw new Error(`There is no function "${name}"; there are ${[...pools.keys()].join(', ')}.`);
      return pool;
    },
    stop: async (): Promise<void> => {
      await Promise.all([...pools.values()].map((pool) => pool.stop()));
    },
  };
}
