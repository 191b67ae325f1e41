import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { functionEnvironment } from '../functions/function-environment.ts';
import { FunctionError } from '../functions/function-error.ts';
import type { FunctionLog } from '../functions/function-log.ts';
import { type FunctionWorker, startWorker } from '../functions/function-worker.ts';
import type { FunctionFailure } from '../functions/messages.ts';
import type { FunctionModel } from '../template/functions.ts';
import { isRecord } from '../template/resource.ts';
import type { BorrowedEngines } from './borrow-engines.ts';
import { startUnitCounter, type Units } from './unit-counter.ts';

export type Outcome = { readonly response: unknown } | { readonly error: FunctionFailure };

export interface Invocation {
  readonly outcome: Outcome;
  /** What the function printed, line by line. */
  readonly log: readonly string[];
  /** Starting a thread and loading the module: what a cold start would add. */
  readonly initMs: number;
  readonly durationMs: number;
  readonly units: Units;
}

function openLog() {
  const lines: string[] = [];
  const ends: Promise<unknown>[] = [];
  const log: FunctionLog = {
    write: (line) => lines.push(line),
    follow: (stream) => {
      const reader = createInterface({ input: stream }).on('line', (line) => lines.push(line));
      ends.push(once(reader, 'close'));
    },
    close: () => undefined,
  };
  return { log, lines, ended: () => Promise.all(ends) };
}

function traceId(): string {
  return `Root=1-${Math.floor(Date.now() / 1000).toString(16)}-${randomBytes(12).toString('hex')};Sampled=0`;
}

/** A worker rejects with an error when it could not be loaded, and with the failure itself when the handler failed. */
function failureOf(reason: unknown): FunctionFailure {
  if (reason instanceof FunctionError) {
    return { errorType: reason.errorType, errorMessage: reason.message, trace: reason.trace };
  }
  if (isRecord(reason) && 'errorMessage' in reason) return reason as unknown as FunctionFailure;
  throw reason;
}

async function responseOf(worker: FunctionWorker, event: unknown): Promise<Outcome> {
  try {
    const payload = await worker.invoke({
      requestId: randomUUID(),
      event: JSON.stringify(event),
      traceId: traceId(),
    });
    return { response: JSON.parse(payload) };
  } catch (reason) {
    return { error: failureOf(reason) };
  }
}

/** Invokes a function cold, and tells what came of it. */
export async function invokeOnce(
  model: FunctionModel,
  engines: BorrowedEngines,
  event: unknown,
): Promise<Invocation> {
  const counter = await startUnitCounter(engines.dynamodb);
  const { log, lines, ended } = openLog();
  const endpoints = { dynamodb: counter.endpoint, sqs: engines.sqs };
  const startedAt = performance.now();
  const worker = startWorker(model, functionEnvironment(model, endpoints, engines.retrySpeed), log);
  // That it cannot be loaded is told by the invocation.
  await worker.loaded.catch(() => undefined);
  const loadedAt = performance.now();
  const outcome = await responseOf(worker, event);
  const endedAt = performance.now();
  await worker.end();
  await ended();
  await counter.stop();
  return {
    outcome,
    log: lines,
    initMs: loadedAt - startedAt,
    durationMs: endedAt - loadedAt,
    units: counter.counted(),
  };
}
