import { totalOf } from '../engines/consumption.ts';
import { engineMeter } from '../engines/engine-meter.ts';
import { functionEnvironment } from '../functions/function-environment.ts';
import { FunctionError } from '../functions/function-error.ts';
import { type FunctionWorker, startWorker } from '../functions/function-worker.ts';
import type { FunctionFailure } from '../functions/messages.ts';
import type { FunctionModel } from '../template/service-model.ts';
import type { BorrowedEngines } from './borrow-engines.ts';

export type Outcome = { readonly response: unknown } | { readonly error: FunctionFailure };

export type Invocation = Awaited<ReturnType<typeof invokeOnce>>;

async function responseOf(worker: FunctionWorker, event: unknown): Promise<Outcome> {
  try {
    const { payload } = await worker.invoke(JSON.stringify(event));
    return { response: JSON.parse(payload) };
  } catch (error) {
    if (error instanceof FunctionError) return { error: error.failure };
    throw error;
  }
}

/** Invokes a function cold, on engines whose table calls are counted. */
export async function invokeOnce(model: FunctionModel, engines: BorrowedEngines, event: unknown) {
  const meter = engineMeter();
  const endpoints = await meter.proxyEngines(engines);
  const log: string[] = [];
  const startedAt = performance.now();
  const environment = functionEnvironment(model, endpoints, engines);
  const worker = startWorker(model, environment, (line) => log.push(line));
  await worker.loaded;
  const loadedAt = performance.now();
  const outcome = await responseOf(worker, event);
  const endedAt = performance.now();
  await worker.end();
  const { byFunction } = await meter.taken();
  await meter.stop();
  const { read, write, tableCalls: calls } = totalOf(byFunction);
  return {
    outcome,
    log,
    /** The time to start a thread and load the module, which a cold start adds. */
    initMs: loadedAt - startedAt,
    durationMs: endedAt - loadedAt,
    /** `calls` includes those that consumed nothing or were refused. */
    units: { read, write, calls },
  };
}
