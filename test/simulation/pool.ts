import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { type Engine, startDynoxide } from '../../local/engines/dynoxide.ts';
import { temporaryFolder } from '../../local/temporary-folder.ts';
import type { Forecast, LoadRequest } from './forecast/loads.ts';
import { synthesizeProd } from './forecast/prod.ts';
import type { Asked, Reply, Request } from './worker.ts';

/**
 * Starts a process that makes runs of the service in `assembly`, with its own table engine. `planted` names a fault to
 * plant, or is `forecast`.
 */
export async function startWorker(planted = 'nothing', assembly = 'cdk.out') {
  const folder = temporaryFolder('simulation');
  const engine: Engine = await startDynoxide(folder.path, () => {});
  const args = [engine.endpoint, planted, assembly];
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

const workersAtOnce = Math.min(8, availableParallelism());

/** Runs each load on a service of its own, as prod has it, on all cores. */
export async function runLoads(
  loads: readonly LoadRequest[],
  done: (forecast: Forecast) => void,
): Promise<void> {
  const queue = [...loads];
  const folder = temporaryFolder('prod');
  synthesizeProd(folder.path);
  const lane = async (): Promise<void> => {
    const worker = await startWorker('forecast', folder.path);
    try {
      for (let load = queue.shift(); load; load = queue.shift()) done(await worker.ask(load));
    } finally {
      await worker.stop();
    }
  };
  await Promise.all(Array.from({ length: Math.min(workersAtOnce, loads.length) }, lane)).finally(
    folder.remove,
  );
}

/** Runs one seed after another on all cores, and passes each reply to `done`, until `done` returns true. */
export async function runSeeds(
  seeds: readonly number[],
  hours: number,
  done: (reply: Reply) => unknown,
  planted?: string,
): Promise<void> {
  const queue = [...seeds];
  let isEnough = false;
  const lane = async (): Promise<void> => {
    const worker = await startWorker(planted);
    try {
      for (let seed = queue.shift(); seed !== undefined && !isEnough; seed = queue.shift())
        if (done(await worker.ask({ seed, hours })) === true) isEnough = true;
    } finally {
      await worker.stop();
    }
  };
  await Promise.all(Array.from({ length: Math.min(workersAtOnce, seeds.length) }, lane));
}
