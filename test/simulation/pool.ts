import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { type Engine, startDynoxide } from '../../local/engines/dynoxide.ts';
import { temporaryFolder } from '../../local/temporary-folder.ts';
import type { Reply, Request } from './worker.ts';

const file = new URL('worker.ts', import.meta.url);

/** A process that makes runs, with a table engine of its own. `planted` is the fault it has in its code. */
export async function startWorker(planted?: string) {
  const folder = temporaryFolder('simulation');
  const engine: Engine = await startDynoxide(folder.path, () => {});
  const args = [engine.endpoint, ...(planted ? [planted] : [])];
  const child: ChildProcess = fork(file, args, { serialization: 'advanced' });
  return {
    ask: async (request: Request): Promise<Reply> => {
      const over = new AbortController();
      child.send(request);
      try {
        const [reply] = await Promise.race([
          once(child, 'message', over),
          once(child, 'exit', over).then(([code]) => {
            throw new Error(
              `the worker ended with code ${code} during ${JSON.stringify(request).slice(0, 100)}`,
            );
          }),
        ]);
        return reply;
      } finally {
        over.abort();
      }
    },
    stop: async (): Promise<void> => {
      child.kill();
      await engine.stop();
      folder.remove();
    },
  };
}

const workersAtOnce = Math.min(8, availableParallelism());

/** Runs seed after seed on all cores; `done` hears of each, and says whether that is enough. */
export async function runSeeds(
  seeds: readonly number[],
  hours: number,
  done: (reply: Reply) => boolean,
  planted?: string,
): Promise<void> {
  const queue = [...seeds];
  let enough = false;
  const lane = async (): Promise<void> => {
    const worker = await startWorker(planted);
    try {
      for (let seed = queue.shift(); seed !== undefined && !enough; seed = queue.shift()) {
        enough = done(await worker.ask({ seed, hours })) || enough;
      }
    } finally {
      await worker.stop();
    }
  };
  await Promise.all(Array.from({ length: Math.min(workersAtOnce, seeds.length) }, lane));
}
