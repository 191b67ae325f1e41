import { setTimeout as delay } from 'node:timers/promises';
import type { Engines } from './engines/engines.ts';
import type { FunctionPool } from './functions/function-pool.ts';
import type { Log } from './log.ts';
import type { ServiceModel } from './template/service-model.ts';

/** Invokes a function repeatedly until it is stopped, for a queue, a stream or a schedule. */
export type Poller = {
  /** Stops without finishing what is in progress. A restart finds that again. */
  stop(): Promise<void>;
};

/** The parts that all pollers of a service use. */
export type PollingParts = {
  model: ServiceModel;
  /** If false, messages to the wallet platform stay in their queues, for another one. */
  simulators: boolean;
  engines: Engines;
  poolOf: (functionName: string) => FunctionPool;
  checkpointFolder: string;
  /** Divides the waits between retries and the intervals of schedules: 1 is real time. */
  retrySpeed: number;
  log: Log;
};

export type Polling = {
  /** Aborts when the poller is stopped. */
  signal: AbortSignal;
  /** Logs a warning. Prints nothing once the poller is stopped. */
  warn: (sentence: string) => void;
};

const pauseAfterErrorMs = 500;

/** Repeats the step that `start` returns. A step that fails logs a warning that begins with `name`. */
export function poll(name: string, log: Log, start: (polling: Polling) => () => Promise<void>): Poller {
  const stopping = new AbortController();
  const { signal } = stopping;
  const warn = (sentence: string): void => {
    if (!signal.aborted) log.warn(`${name}: ${sentence}`);
  };
  const step = start({ signal, warn });
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await step().catch(async (error: unknown) => {
        warn(String(error));
        await delay(pauseAfterErrorMs, undefined, { signal }).catch(() => undefined);
      });
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
