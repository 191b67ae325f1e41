import { readdirSync } from 'node:fs';
import { functionEnvironment } from '../../../local/functions/function-environment.ts';
import { FunctionError, ThrottledError } from '../../../local/functions/function-error.ts';
import type { FunctionPool } from '../../../local/functions/function-pool.ts';
import type { FunctionModel } from '../../../local/template/functions.ts';
import { type Invocation, invocations } from './calls.ts';
import { maxSkewMs } from './faults.ts';
import type { RunParts } from './run-parts.ts';

type Handler = (event: unknown, context: object) => Promise<unknown>;

interface Instance {
  readonly handler: Handler;
  readonly skewMs: number;
}

const functionsFolder = new URL('../../../functions/', import.meta.url);

/** `DeliverCallback` -> the file of its handler. */
const files = new Map(
  readdirSync(functionsFolder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.lambda.ts'))
    .map((file) => [
      (file.split('/').at(-1) ?? '').replace('.lambda.ts', '').replaceAll('-', ''),
      new URL(file, functionsFolder).href,
    ]),
);

/** The part of a function's name that says what it does: both lanes of callbacks run the same code. */
function codeOf(functionName: string): string {
  return functionName.replace(/^.*-/, '').replace('Slow', '').toLowerCase();
}

const engines = { dynamodb: '', sqs: 'http://queues' };
let instances = 0;

/** A new instance: the module that is deployed, with connections and memory of its own. */
async function load(model: FunctionModel): Promise<Handler> {
  const file = files.get(codeOf(model.name));
  if (!file) throw new Error(`no module for ${model.name}`);
  const environment = process.env;
  process.env = functionEnvironment(model, engines);
  instances += 1;
  const { handler } = await import(`${file}?instance=${instances}`);
  process.env = environment;
  return handler;
}

/** Runs one function as Lambda does: an invocation an instance at a time, killed when it takes too long. */
export function createFunction(model: FunctionModel, { time, rng, faults, log }: RunParts): FunctionPool {
  const name = model.name.replace(/^.*-/, '');
  const concurrency = model.reservedConcurrency ?? 1_000;
  const idle: Instance[] = [];
  let running = 0;
  let invoked = 0;

  const newInstance = (): Promise<Instance> =>
    new Promise((resolve, reject) => {
      const skewMs = faults.happens('clockSkew') ? rng.between(-maxSkewMs, maxSkewMs + 1) : 0;
      // Loading is real: nothing else happens meanwhile.
      time.after(rng.between(100, 400), () =>
        load(model).then((handler) => resolve({ handler, skewMs }), reject),
      );
    });

  const run = (instance: Instance, event: unknown): Promise<{ payload: string; requestId: string }> =>
    new Promise((resolve, reject) => {
      invoked += 1;
      const requestId = `${name}-${invoked}`;
      const deadline = time.now() + model.timeoutSeconds * 1_000;
      let over = false;
      const end = (): boolean => {
        if (over) return false;
        over = true;
        timeout.cancel();
        return true;
      };
      const kill = (why: string): void => {
        if (!end()) return;
        log.add(`${requestId} ended: ${why}`);
        const failure = { errorType: 'Runtime.ExitError', errorMessage: why, trace: [] };
        reject(new FunctionError(failure, requestId));
      };
      const timeout = time.at(deadline, () => kill('it took too long'));
      const invocation: Invocation = { name: requestId, skewMs: instance.skewMs, isDead: () => over, kill };
      const context = {
        awsRequestId: requestId,
        functionName: model.name,
        getRemainingTimeInMillis: () => deadline - time.now(),
      };
      const given = JSON.parse(JSON.stringify(event));
      invocations.run(invocation, () =>
        instance.handler(given, context).then(
          (result) => {
            if (!end()) return;
            if (!faults.happens('instanceReplaced')) idle.push(instance);
            resolve({ payload: JSON.stringify(result) ?? 'null', requestId });
          },
          (error: unknown) => kill(String(error)),
        ),
      );
    });

  return {
    concurrency,
    invoke: async (event, { whenBusy } = {}) => {
      if (whenBusy === 'throttle' && running >= concurrency) throw new ThrottledError(model.name);
      running += 1;
      try {
        return await run(idle.pop() ?? (await newInstance()), event);
      } finally {
        running -= 1;
      }
    },
    isWaiting: () => false,
    replaceCode: () => {},
    stop: async () => {},
  };
}
