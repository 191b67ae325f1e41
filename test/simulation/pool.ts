import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { bundleFolder } from '../../infra/bundle-paths.ts';
import { stageConfig } from '../../infra/config.ts';
import { newApp } from '../../infra/new-app.ts';
import { defineStacks } from '../../infra/stacks.ts';
import { type Engine, startDynoxide } from '../../local/engines/dynoxide.ts';
import { temporaryFolder } from '../../local/temporary-folder.ts';
import type { Forecast, LoadRequest } from './forecast/loads.ts';
import type { Asked, Reply, Request } from './worker.ts';

/**
 * Starts a process that makes runs of so many hours of the service in `assembly`, with its own table engine. `planted`
 * names a fault to plant, or is `forecast`.
 */
export async function startWorker(planted = 'nothing', hours = 2, assembly = 'cdk.out') {
  const folder = temporaryFolder('simulation');
  const engine: Engine = await startDynoxide(folder.path, () => {});
  const args = [engine.endpoint, planted, assembly, String(hours)];
  const child: ChildProcess = fork(new URL('worker.ts', import.meta.url), args, {
    serialization: 'advanced',
  });
  const ended = once(child, 'exit');
  return {
    ask: async <Given extends Request>(request: Given): Promise<Asked<Given>> => {
      child.send(request);
      const failed = ended.then(([code]) => {
        throw new Error(`the worker ended with code ${code} during ${JSON.stringify(request).slice(0, 100)}`);
      });
      const [reply] = await Promise.race([once(child, 'message'), failed]);
      return reply;
    },
    stop: async (): Promise<void> => {
      child.kill();
      await engine.stop();
      folder.remove();
    },
  };
}

/** Passes the reply to each request to `done`, until `done` returns true. The workers use all cores. */
async function askAll<Given extends Request>(
  requests: readonly Given[],
  start: () => ReturnType<typeof startWorker>,
  done: (reply: Asked<Given>) => unknown,
): Promise<void> {
  const queue = [...requests];
  const lane = async (): Promise<void> => {
    const worker = await start();
    try {
      for (let one = queue.shift(); one; one = queue.shift())
        if (done(await worker.ask(one)) === true) queue.splice(0);
    } finally {
      await worker.stop();
    }
  };
  const lanes = Math.min(8, availableParallelism(), requests.length);
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** Runs each load on a service of its own, with the memory sizes and the reserved concurrency of prod. */
export async function runLoads(
  loads: readonly LoadRequest[],
  done: (forecast: Forecast) => void,
): Promise<void> {
  const folder = temporaryFolder('prod');
  const app = newApp(folder.path, { validated: false });
  defineStacks(app, { config: stageConfig('prod'), codeFolder: bundleFolder });
  app.synth();
  await askAll(loads, () => startWorker('forecast', 0, folder.path), done).finally(folder.remove);
}

/** Runs one seed after another, with a fault if one is named, and passes each reply to `done`, until that returns true. */
export function runSeeds(
  seeds: readonly number[],
  hours: number,
  done: (reply: Reply) => unknown,
  planted?: string,
): Promise<void> {
  const requests = seeds.map((seed) => ({ seed }));
  return askAll(requests, () => startWorker(planted, hours), done);
}
