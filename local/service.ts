import { resolve } from 'node:path';
import { describeEndpoints } from './endpoints.ts';
import { startMeter } from './engines/engine-meter.ts';
import { externalEndpoints, startEngines } from './engines/engines.ts';
import { functionEnvironment, type LocalPace } from './functions/function-environment.ts';
import { openFunctionLog } from './functions/function-log.ts';
import { type FunctionPool, functionPool } from './functions/function-pool.ts';
import { startGateway } from './http/gateway.ts';
import type { Log } from './log.ts';
import { samEnvironment } from './sam-environment.ts';
import type { SeedOptions } from './seed.ts';
import { startPartners } from './start-partners.ts';
import { startPollers } from './start-pollers.ts';
import { openStateFolder } from './state-folder.ts';
import {
  type FunctionModel,
  functionNamed,
  prefixNames,
  readServiceModel,
} from './template/service-model.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type LocalServiceOptions = LocalPace & {
  /** Port 0 means any free one. */
  port?: number;
  /** A temporary folder if left out, which ends with the service. */
  stateDir?: string;
  assemblyDir?: string;
  fresh?: boolean;
  log?: Log;
  /** Agreed with both partners from the start; left out, they have the service's defaults. */
  limits?: NonNullable<SeedOptions['limits']>;
  /** If false, no simulated partners run, and messages stay in push-outbox. */
  simulators?: boolean;
  /** Counts what each function consumes. */
  metered?: boolean;
  /** What stands between events and the function of this id; by default nothing. */
  wrapPool?: (pool: FunctionPool, id: string) => FunctionPool;
  /** Refuses calls of the table that the role of a function does not allow, as AWS does. */
  underRoles?: boolean;
  /** Called when the service cannot go on, because an engine ended by itself. */
  onLost?: (sentence: string) => void;
};

export type LocalService = Awaited<ReturnType<typeof startLocalService>>;

/** Runs the synthesized service on this machine. Several may run side by side on folders of their own. */
export async function startLocalService(options: LocalServiceOptions) {
  const { log = console, retrySpeed = 1, port = 0 } = options;
  // Stops everything in reverse order. A start that fails stops what it has started.
  await using starting = new AsyncDisposableStack();
  const { path: stateDir, remove } =
    options.stateDir === undefined
      ? temporaryFolder('service')
      : { path: resolve(options.stateDir), remove: () => undefined };
  starting.defer(remove);

  const state = openStateFolder(stateDir, options.fresh ?? false);
  starting.defer(state.release);
  const external = externalEndpoints();
  const namePrefix = external.dynamodb || external.sqs ? state.namePrefix : '';
  const assemblyDir = resolve(options.assemblyDir ?? 'cdk.out');
  const built = readServiceModel(assemblyDir);
  const model = prefixNames(built, built, namePrefix);
  const engines = await startEngines({
    stateDir,
    tables: model.tables,
    queues: model.queues,
    endpoints: external,
    fresh: options.fresh ?? false,
    onLost: (engine) => options.onLost?.(`The ${engine} engine ended by itself.`),
  });
  starting.defer(engines.stop);
  const { metered: counting = false, underRoles = false } = options;
  const rolesIn = underRoles ? assemblyDir : undefined;
  const meter =
    counting || underRoles ? await startMeter(engines.endpoints, { rolesIn, counting }) : undefined;
  starting.defer(async () => meter?.stop());
  const startPool = (template: FunctionModel): FunctionPool => {
    const fn = { ...template, codeFolder: state.keepCode(template.codeFolder) };
    const environment = functionEnvironment(fn, meter?.endpoints ?? engines.endpoints, options);
    const pool = functionPool(fn, environment, openFunctionLog(state.logs, fn.name, log));
    return options.wrapPool?.(pool, fn.logicalId) ?? pool;
  };
  const pools = new Map(model.functions.map((fn) => [fn.name, startPool(fn)]));
  // The templates invoke only functions of their own.
  const poolOf = (name: string) => pools.get(name) as FunctionPool;
  const partners = await startPartners({
    ...options,
    stateDir,
    port,
    table: {
      dynamodbEndpoint: engines.endpoints.dynamodb,
      tableName: model.tables[0]?.name ?? '',
      stream: engines.tables[0]?.engineStreamArn ?? '',
    },
  });
  starting.defer(partners.stop);
  const gateway = await startGateway({ api: model.api, port, poolOf, log, now: Date.now });
  starting.defer(gateway.stop);
  const pollers = startPollers({
    model,
    simulators: options.simulators ?? true,
    engines,
    poolOf,
    checkpointFolder: state.checkpoints,
    retrySpeed,
    log,
  });
  // Pollers wait for invocations, which end with their pools.
  starting.defer(async () => {
    await Promise.all([...pools.values(), ...pollers].map((one) => one.stop()));
  });
  const endpoints = describeEndpoints(model, engines, {
    port: gateway.port,
    partners,
    retrySpeed,
    namePrefix,
  });
  state.writeEndpoints(endpoints, samEnvironment(model.functions, engines.endpoints, options));

  const running = starting.move();
  let stopped: Promise<void> | undefined;
  return {
    endpoints,
    port: gateway.port,
    meter,
    stateDir,
    /** Every call waits for the same end: npm passes a Ctrl-C on, so the process may get it twice. */
    stop: (): Promise<void> => {
      stopped ??= running.disposeAsync();
      return stopped;
    },
    /** Invokes a function and returns its response. Rejects with the error of the function. */
    invoke: async (id: string, event: unknown): Promise<unknown> => {
      const { payload } = await poolOf(functionNamed(id, model).name).invoke(event);
      return JSON.parse(payload);
    },
  };
}
