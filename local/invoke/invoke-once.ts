import { once } from 'node:events';
import { totalOf } from '../engines/consumption.ts';
import { engineMeter } from '../engines/engine-meter.ts';
import { functionEnvironment } from '../functions/function-environment.ts';
import { FunctionError } from '../functions/function-error.ts';
import { type FunctionLog, followLines } from '../functions/function-log.ts';
import { type FunctionWorker, startWorker } from '../functions/function-worker.ts';
import type { FunctionFailure } from '../functions/messages.ts';
import type { FunctionModel } from '../template/service-model.ts';
import type { BorrowedEngines } from './borrow-engines.ts';

export type Outcome = { readonly response: unknown } | { readonly error: FunctionFailure };

export type Invocation = Awaited<ReturnType<typeof invokeOnce>>;

function openLog() {
  const lines: string[] = [];
  const ends: Promise<unknown>[] = [];
  const log: FunctionLog = {
    write: (line) => lines.push(line),
    follow: (stream) => {
      followLines(stream, (line) => lines.push(line));
      ends.push(once(stream, 'end'));
    },
    close: () => undefined,
  };
  return { log, lines, ended: () => Promise.all(ends) };
}

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
  const { log, lines, ended } = openLog();
  const startedAt = performance.now();
  const worker = startWorker(model, functionEnvironment(model, endpoints, engines), log);
  await worker.loaded;
  const loadedAt = performance.now();
  const outcome = await responseOf(worker, event);
  const endedAt = performance.now();
  await worker.end();
  await ended();
  const { byFunction } = await meter.taken();
  await meter.stop();
  const { read, write, tableCalls: calls } = totalOf(byFunction);
  return {
    outcome,
    log: lines,
    /** The time to start a thread and load the module, which a cold start adds. */
    initMs: loadedAt - startedAt,
    durationMs: endedAt - loadedAt,
    /** `calls` includes those that consumed nothing or were refused. */
    units: { read, write, calls },
  };
}
