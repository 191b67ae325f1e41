import { resolve } from 'node:path';
import { queueUrl } from './engines/create-queues.ts';
import { type Engines, startEngines } from './engines/engines.ts';
import type { FunctionPool } from './functions/function-pool.ts';
import { createPools, inFrontOf, poolOf } from './functions/function-pools.ts';
import { type Gateway, startGateway } from './http/gateway.ts';
import type { Interception } from './interception.ts';
import { type Log, terminalLog } from './log.ts';
import { type Partner, type Partners, rememberPartners } from './partners.ts';
import type { Poller } from './poller.ts';
import { pollQueue } from './queues/poll-queue.ts';
import { runSchedule } from './schedules/run-schedule.ts';
import type { SeedOptions } from './seed.ts';
import { type SimulatorOptions, type Simulators, startSimulators } from './simulators/simulators.ts';
import { StartUpError } from './start-up-error.ts';
import { openStateFolder, type StateFolder } from './state-folder.ts';
import { pollStream } from './streams/poll-stream.ts';
import { readableQueueName } from './template/queues.ts';
import { readServiceModel, type ServiceModel } from './template/service-model.ts';

/** Puts partners into the table that the service can be tried with. */
export type Seed = (options: SeedOptions) => Promise<void>;

export interface LocalServiceOptions {
  /** 0: any free port. */
  readonly port?: number;
  readonly stateDir: string;
  /** What `cdk synth` wrote. */
  readonly assemblyDir?: string;
  /** Begins without what earlier runs left. */
  readonly fresh?: boolean;
  /** Divides the waits between retries and the schedules' rates: 1 is real time. */
  readonly retrySpeed?: number;
  readonly log?: Log;
  /** Left out: two with secrets of their own, which a restart finds again. */
  readonly partners?: Partners;
  readonly seed?: Seed;
  /** How the simulated wallet platform behaves; false leaves it and the simulated partners out. */
  readonly simulators?: SimulatorOptions | false;
  readonly now?: () => number;
  /** Stands around the functions, to see or to disturb what they do. */
  readonly interception?: Interception;
  /** Called when the service cannot go on, because an engine ended by itself. */
  readonly onLost?: (sentence: string) => void;
}

/** How the service knows a partner, and the partner the service. */
export type Login = Omit<Partner, 'callback'>;

/** A simulated partner: below the URL are `/callback`, `/received` and `/behave`. */
export interface CallbackReceiver {
  readonly url: string;
  readonly webhookSecret: string;
}

export interface Endpoints extends Login {
  readonly baseUrl: string;
  readonly tableName: string;
  readonly dynamodb: string;
  readonly sqs: string;
  /** Readable name -> URL. */
  readonly queues: Readonly<Record<string, string>>;
  readonly retrySpeed: number;
  /** Absent, as the wallet is, without simulators. */
  readonly partner?: CallbackReceiver;
  /** The simulated wallet platform: below the URL is `/devices`. */
  readonly wallet?: { readonly url: string };
  readonly other: Login & { readonly partner?: CallbackReceiver };
}

export interface LocalService {
  readonly endpoints: Endpoints;
  /** Runs a function with an event and gives its answer; rejects with what the function failed with. */
  invoke(functionName: string, event: unknown): Promise<unknown>;
  /** Takes the functions' code from another assembly. Routes, queues and tables stay as they are. */
  reloadCode(assemblyDir: string): void;
  stop(): Promise<void>;
}

interface Context {
  readonly options: LocalServiceOptions;
  readonly model: ServiceModel;
  readonly engines: Engines;
  readonly state: StateFolder;
  readonly pools: ReadonlyMap<string, FunctionPool>;
  readonly log: Log;
  readonly retrySpeed: number;
  readonly now: () => number;
}

// Imported late: the SDK it brings would delay everything else.
const defaultSeed: Seed = async (options) => (await import('./seed.ts')).seedPartners(options);

function startPollers(context: Context): Poller[] {
  const { model, engines, pools, state } = context;
  const shared = { ...context, sqs: engines.sqs, sqsEndpoint: engines.sqsEndpoint };
  const queues = model.eventSources.queues.map((source) => {
    const queue = model.queues.find(({ name }) => name === source.queueName);
    const visibilityTimeoutSeconds = queue?.visibilityTimeoutSeconds ?? 30;
    return pollQueue({
      ...shared,
      source,
      pool: poolOf(pools, source.functionName),
      visibilityTimeoutSeconds,
    });
  });
  const streams = model.eventSources.streams.map((source) => {
    const table = engines.tables.find((candidate) => candidate.model.streamArn === source.streamArn);
    if (!table?.engineStreamArn)
      throw new StartUpError(`Mapping ${source.id} reads the stream of a table that has none.`);
    return pollStream({
      ...shared,
      source,
      table,
      pool: poolOf(pools, source.functionName),
      streams: engines.streams,
      checkpointFolder: state.checkpoints,
    });
  });
  const schedules = model.schedules.map((schedule) =>
    runSchedule({ ...context, schedule, pool: poolOf(pools, schedule.functionName) }),
  );
  return [...queues, ...streams, ...schedules];
}

interface Outside {
  readonly gateway: Gateway;
  readonly partners: Partners;
  readonly simulators: Simulators | undefined;
}

function describePartner({ callback, ...login }: Partner, url: string | undefined) {
  return {
    ...login,
    ...(url === undefined ? {} : { partner: { url, webhookSecret: callback.webhookSecret } }),
  };
}

function describeEndpoints(context: Context, { gateway, partners, simulators }: Outside): Endpoints {
  return {
    baseUrl: `http://127.0.0.1:${gateway.port}`,
    ...describePartner(partners.main, simulators?.partnerUrls.main),
    ...(simulators ? { wallet: { url: simulators.walletUrl } } : {}),
    retrySpeed: context.retrySpeed,
    ...describeEngines(context),
    other: describePartner(partners.other, simulators?.partnerUrls.other),
  };
}

function describeEngines({ model, engines }: Context) {
  return {
    tableName: model.tables[0]?.name ?? '',
    dynamodb: engines.dynamodbEndpoint,
    sqs: engines.sqsEndpoint,
    queues: Object.fromEntries(
      model.queues.map((queue) => [readableQueueName(queue), queueUrl(engines.sqsEndpoint, queue.name)]),
    ),
  };
}

/** Everything that must end, in reverse order of its beginning; each is tried even if another fails. */
function createCleanup() {
  const steps: (() => Promise<void> | void)[] = [];
  let ending: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    for (const step of steps.reverse()) await Promise.resolve(step()).catch(() => undefined);
  };
  return {
    add: (step: () => Promise<void> | void) => {
      steps.push(step);
    },
    run: () => {
      ending ??= run();
      return ending;
    },
  };
}

type Cleanup = ReturnType<typeof createCleanup>;

async function beginSimulators(
  { options, model, engines, log }: Context,
  partners: Partners,
  cleanup: Cleanup,
): Promise<Simulators | undefined> {
  if (options.simulators === false) return undefined;
  const simulators = await startSimulators({
    options: options.simulators ?? {},
    port: options.port ?? 0,
    partners,
    queues: model.queues,
    sqs: engines.sqs,
    sqsEndpoint: engines.sqsEndpoint,
    log,
  });
  cleanup.add(simulators.stop);
  return simulators;
}

async function begin(
  options: LocalServiceOptions,
  model: ServiceModel,
  cleanup: Cleanup,
): Promise<LocalService> {
  const { log = terminalLog, retrySpeed = 1, now = Date.now, seed = defaultSeed } = options;
  const stateDir = resolve(options.stateDir);
  const state = openStateFolder(stateDir, options.fresh ?? false);
  cleanup.add(state.release);
  const engines = await startEngines({
    stateDir,
    tables: model.tables,
    queues: model.queues,
    endpoints: { dynamodb: process.env['DYNAMODB_ENDPOINT'], sqs: process.env['SQS_ENDPOINT'] },
    onLost: (engine) => options.onLost?.(`The ${engine} engine ended by itself.`),
  });
  cleanup.add(engines.stop);
  const endpointsOfFunctions = await inFrontOf(engines, options.interception, cleanup);
  const pools = createPools(model, endpointsOfFunctions, {
    logs: state.logs,
    log,
    retrySpeed,
    interception: options.interception,
  });
  const context: Context = { options, model, engines, state, pools, log, retrySpeed, now };
  const { partners = rememberPartners(stateDir) } = options;
  const simulators = await beginSimulators(context, partners, cleanup);
  const gateway = await startGateway({
    api: model.api ?? { stageName: '$default', routes: [] },
    port: options.port ?? 0,
    poolOf: (name) => poolOf(pools, name),
    log,
    now,
  });
  cleanup.add(gateway.stop);
  await seed({
    dynamodbEndpoint: engines.dynamodbEndpoint,
    tableName: model.tables[0]?.name ?? '',
    partners,
    ...(simulators ? { callbackUrls: simulators.callbackUrls } : {}),
  });
  const pollers = startPollers(context);
  cleanup.add(async () => {
    // Pollers wait for invocations, which end with their pools.
    const pollersEnd = pollers.map((poller) => poller.stop());
    await Promise.all([...[...pools.values()].map((pool) => pool.stop()), ...pollersEnd]);
  });
  const endpoints = describeEndpoints(context, { gateway, partners, simulators });
  state.writeEndpoints(endpoints);
  return {
    endpoints,
    stop: cleanup.run,
    invoke: async (functionName, event) => {
      const named = model.functions.find(({ name, logicalId }) => [name, logicalId].includes(functionName));
      const { payload } = await poolOf(pools, named?.name ?? functionName).invoke(event);
      return JSON.parse(payload);
    },
    reloadCode: (assemblyDir) => {
      for (const fn of readServiceModel(resolve(assemblyDir)).functions) {
        pools.get(fn.name)?.replaceCode(fn);
      }
    },
  };
}

/** Runs the synthesized service on this machine. Several may run side by side on folders of their own. */
export async function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
  const model = readServiceModel(resolve(options.assemblyDir ?? 'cdk.out'));
  const cleanup = createCleanup();
  try {
    return await begin(options, model, cleanup);
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}
