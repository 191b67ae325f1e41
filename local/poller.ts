import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from './log.ts';

/** Something that invokes a function again and again until it is stopped: a queue, a stream, a schedule. */
export interface Poller {
  /** Abandons what is in progress, so that a restart finds it again. */
  stop(): Promise<void>;
}

export interface Polling {
  /** Aborted at the stop. */
  readonly signal: AbortSignal;
  /** Silent from the stop on. */
  readonly warn: (sentence: string) => void;
}

const pauseAfterErrorMs = 500;

/** Takes the step that `start` gives again and again; one that fails is a warning with `name` before it. */
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
