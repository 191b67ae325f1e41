import { sumConsumed } from '../engines/consumption.ts';
import { startMeter } from '../engines/engine-meter.ts';
import {
  type EngineEndpoints,
  functionEnvironment,
  type LocalPace,
} from '../functions/function-environment.ts';
import { FunctionError, type FunctionFailure } from '../functions/function-error.ts';
import { type FunctionWorker, startWorker } from '../functions/function-worker.ts';
import type { FunctionModel } from '../template/service-model.ts';

type Outcome = { response: unknown } | { error: FunctionFailure };

export type Invocation = Awaited<ReturnType<typeof invokeOnce>>;

async function awaitOutcome(worker: FunctionWorker, event: unknown): Promise<Outcome> {
  try {
    const { payload } = await worker.invoke(JSON.stringify(event));
    return { response: JSON.parse(payload) };
  } catch (error) {
    if (error instanceof FunctionError) return { error: error.failure };
    throw error;
  }
}

/** Milliseconds between two times, to a tenth. */
function msBetween(from: number, to: number): number {
  return Math.round((to - from) * 10) / 10;
}

/** Invokes a function cold, under its role in the templates of the folder, on engines whose table calls are counted. */
export async function invokeOnce(
  model: FunctionModel,
  engines: EngineEndpoints & LocalPace,
  event: unknown,
  { rolesIn }: { rolesIn: string },
) {
  const meter = await startMeter(engines, { rolesIn });
  const log: string[] = [];
  const startedAt = performance.now();
  const environment = functionEnvironment(model, meter.endpoints, engines);
  const worker = startWorker(model, environment, (line) => log.push(line));
  await worker.loaded;
  const loadedAt = performance.now();
  const outcome = await awaitOutcome(worker, event);
  const endedAt = performance.now();
  await worker.end();
  const { read, write, tableCalls: calls } = sumConsumed(await meter.taken());
  await meter.stop();
  return {
    ...outcome,
    log,
    /** The time to start a thread and load the module, which a cold start adds. */
    initMs: msBetween(startedAt, loadedAt),
    durationMs: msBetween(loadedAt, endedAt),
    /** `calls` includes those that consumed nothing or were refused. */
    units: { read, write, calls },
  };
}
