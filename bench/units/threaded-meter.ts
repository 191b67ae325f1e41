import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { MeteredCall } from '../../local/engines/engine-meter.ts';
import type { EngineProxy } from '../../local/engines/engine-proxy.ts';

export interface ThreadedMeter extends EngineProxy {
  /** Resolves when every call that was answered before has been heard. */
  caughtUp(): Promise<void>;
}

type Told = { readonly call?: MeteredCall; readonly endpoint?: string; readonly mark?: number };

/** Meters an engine from another thread. */
export async function startThreadedMeter(
  engine: string,
  heard: (call: MeteredCall) => void,
): Promise<ThreadedMeter> {
  const thread = new Worker(new URL('./meter-thread.ts', import.meta.url), { workerData: engine });
  const [{ endpoint = '' }] = (await once(thread, 'message')) as [Told];
  const waiting = new Map<number, () => void>();
  thread.on('message', ({ call, mark }: Told) => {
    if (call) heard(call);
    if (mark !== undefined) waiting.get(mark)?.();
  });
  let marks = 0;
  return {
    endpoint,
    caughtUp: () =>
      new Promise((resolve) => {
        marks += 1;
        waiting.set(marks, resolve);
        thread.postMessage(marks);
      }),
    stop: async () => {
      await thread.terminate();
    },
  };
}
