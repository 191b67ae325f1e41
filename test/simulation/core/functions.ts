import { readdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { factoryName } from '../../../build/handler-entries.ts';
import { functionEnvironment } from '../../../local/functions/function-environment.ts';
import { FunctionError, RefusedInvocationError } from '../../../local/functions/function-error.ts';
import type { FunctionPool } from '../../../local/functions/function-pool.ts';
import type { FunctionModel } from '../../../local/template/service-model.ts';
import { invocations } from './calls.ts';
import { theRun } from './current.ts';
import { maxSkewMs } from './faults.ts';
import { physics } from './physics.ts';
import type { RunParts } from './run-parts.ts';

/** The part of a function that event sources and the gateway need. */
export type Pool = Pick<FunctionPool, 'concurrency' | 'invoke'>;

type Instance = {
  id: string;
  handler: (event: unknown, context: object) => Promise<unknown>;
  skewMs: number;
  sdk: { tokens: number };
};

/** The executions of one function, or of all that have none reserved. `begunAt`: the requests of the last second. */
type Share = { atMost: number; running: number; begunAt: number[] };

/**
 * State that all functions of an account share. What one of them has reserved is never lent to another, so functions
 * without a reservation share the rest of the account's concurrency.
 */
export function createAccount(functions: readonly FunctionModel[]) {
  const reserved = functions.reduce((sum, { reservedConcurrency = 0 }) => sum + reservedConcurrency, 0);
  const unreserved: Share = { atMost: physics.account.functionsAtOnce - reserved, running: 0, begunAt: [] };
  /** Maps the id of a request to the instance that ran it. */
  const servedBy = new Map<string, string>();
  return { unreserved, servedBy };
}
export type Account = ReturnType<typeof createAccount>;

/** Maps names such as `delivercallback` to the files of the functions. */
const files = new Map(
  readdirSync('functions', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [basename(file, '.ts').replaceAll('-', ''), resolve('functions', file)]),
);

let instances = 0;

/**
 * Loads the handler that is deployed, as a new instance with its own memory. Only the function's own module is loaded
 * again: what a module of `shared/` keeps in a variable is one for all instances of all functions.
 */
async function load(model: FunctionModel): Promise<Instance['handler']> {
  // Both lanes of callbacks run the same code.
  const file = files.get(model.name.replace(/^.*-/, '').replace('Slow', '').toLowerCase());
  if (!file) throw new Error(`no module for ${model.name}`);
  const environment = process.env;
  process.env = functionEnvironment(model, { dynamodb: '', sqs: 'http://queues' });
  instances += 1;
  const module = await import(`${file}?instance=${instances}`);
  const handler = module[factoryName(file)]();
  process.env = environment;
  return handler;
}

/** Whether a response tells of a failure. Then the other calls beside the one that failed may be under way. */
function hasFailed(result: unknown): boolean {
  const { statusCode = 200, batchItemFailures = [] } = Object(result);
  return statusCode >= 500 || batchItemFailures.length > 0;
}

/** Runs one function as Lambda does: each instance takes one invocation at a time, and is killed at the timeout. */
export function createFunction(
  model: FunctionModel,
  { time, rng, faults, log, account }: RunParts & { account: Account },
): Pool {
  const name = model.name.replace(/^.*-/, '');
  const { eventBytes, responseBytes, requestsPerExecution } = physics.account;
  const { reservedConcurrency } = model;
  const share: Share =
    reservedConcurrency === undefined
      ? account.unreserved
      : { atMost: reservedConcurrency, running: 0, begunAt: [] };
  const { ms, msOfLarge, large, vcpuMb } = physics.processor;
  const processorMs = (large.test(name) ? msOfLarge : ms) * Math.max(1, vcpuMb / model.memoryMb);
  const idle: Instance[] = [];
  let invoked = 0;

  const newInstance = async (): Promise<Instance> => {
    const skewMs = faults.happens('clockSkew') ? rng.between(-maxSkewMs, maxSkewMs + 1) : 0;
    // Loading takes real time, during which no other event happens.
    const handler = await time.later(rng.between(...physics.coldStartMs), () => load(model));
    return { id: `${name} ${instances}`, skewMs, handler, sdk: { tokens: physics.sdk.tokens } };
  };

  const run = async (instance: Instance, event: string) => {
    invoked += 1;
    const requestId = `${name}-${invoked}`;
    const deadline = time.now() + model.timeoutSeconds * 1_000;
    const { promise: killed, reject } = Promise.withResolvers<never>();
    let isOver = false;
    const kill = (why: string): void => {
      if (isOver) return;
      isOver = true;
      log.add(`${requestId} ended: ${why}`);
      const failure = { errorType: 'Runtime.ExitError', errorMessage: why, trace: [] };
      reject(new FunctionError(failure, requestId));
    };
    time.at(deadline, () => kill('it took too long'));
    const { skewMs, sdk } = instance;
    const invocation = {
      name: requestId,
      functionName: name,
      skewMs,
      sdk,
      isDead: () => isOver,
      kill,
      underWay: 0,
    };
    const context = {
      awsRequestId: requestId,
      functionName: model.name,
      getRemainingTimeInMillis: () => deadline - time.now(),
    };
    const given = JSON.parse(event);
    if (given.requestContext) account.servedBy.set(given.requestContext.requestId, instance.id);
    await time.sleep(processorMs);
    const handled = invocations.run(invocation, () => instance.handler(given, context));
    const failed = handled.catch((error: unknown) => {
      kill(String(error));
      return killed;
    });
    const result = await Promise.race([failed, killed]);
    if (invocation.underWay > 0 && !hasFailed(result))
      theRun.forbidden.add(`${name} ended before one of its calls, which Lambda may never make`);
    isOver = true;
    if (!faults.happens('instanceReplaced')) idle.push(instance);
    const payload = JSON.stringify(result) ?? 'null';
    if (Buffer.byteLength(payload) <= responseBytes) return { payload, requestId };
    const failure = { errorType: 'Function.ResponseSizeTooLarge', errorMessage: 'too large', trace: [] };
    throw new FunctionError(failure, requestId);
  };

  return {
    concurrency: share.atMost,
    invoke: async (event, { whenBusy } = {}) => {
      const text = JSON.stringify(event) ?? 'null';
      if (Buffer.byteLength(text) > eventBytes)
        throw new RefusedInvocationError(413, 'the event is too large');
      const isBusy = () => share.running >= share.atMost;
      if (whenBusy === 'throttle') {
        const { begunAt } = share;
        while ((begunAt[0] ?? Number.POSITIVE_INFINITY) <= time.now() - 1_000) begunAt.shift();
        if (isBusy() || begunAt.length >= share.atMost * requestsPerExecution)
          throw new RefusedInvocationError(503, 'throttled');
        begunAt.push(time.now());
      }
      while (isBusy()) await time.sleep(rng.between(50, 500));
      share.running += 1;
      try {
        return await run(idle.pop() ?? (await newInstance()), text);
      } finally {
        share.running -= 1;
      }
    },
  };
}
