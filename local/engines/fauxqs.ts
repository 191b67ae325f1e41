import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { failure } from '../../ops/cli/command-line.ts';
import { account } from '../template/account.ts';
import type { Engine } from './dynoxide.ts';

/**
 * Starts fauxqs in its own thread, because it writes every message to its SQLite file synchronously, which would block
 * the gateway's event loop.
 */
export async function startFauxqs(folder: string, onUnexpectedEnd: () => void): Promise<Engine> {
  mkdirSync(folder, { recursive: true });
  const { NODE_COMPILE_CACHE } = process.env;
  const thread = new Worker(new URL('./fauxqs-thread.ts', import.meta.url), {
    workerData: { folder, region: account.region },
    env: NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {},
  });
  const started = once(thread, 'message') as Promise<[{ port: number }]>;
  // Rejects with what the thread threw.
  const [{ port }] = await started.catch((error) => {
    throw failure(
      `The queue engine did not start with its data in ${folder} (${error.message}): start from scratch with --fresh.`,
    );
  });
  let stopping = false;
  const end = once(thread, 'exit').then(() => stopping || onUnexpectedEnd());
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: async () => {
      stopping = true;
      thread.postMessage('stop');
      await end;
    },
  };
}
