import { fork, type Serializable } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type EngineEndpoints, functionEnvironment } from '../../local/functions/function-environment.ts';
import type { FunctionModel } from '../../local/template/service-model.ts';
import type { Rig } from '../rig.ts';

type Answer = { done?: unknown; failure?: string };

type Took = {
  /** Processor time of all threads, because V8 compiles and collects garbage in others. */
  cpuUs: number;
  wallMs: number;
};

/** A batch of events, one after the other. */
type Run = Took & {
  responses: readonly unknown[];
};

export type StartedFunction = Awaited<ReturnType<typeof startFunction>>;

/**
 * Loads a function into a process of its own, whose processor time is that of the function alone, or a bare handler from
 * `folder` with the environment of that function and more. Its output is dropped. It is stopped when the rig is cleaned
 * up, if not before.
 */
export async function startFunction(
  { engines, cleanup }: Pick<Rig, 'cleanup'> & { engines: EngineEndpoints },
  fn: FunctionModel,
  { folder = fn.codeFolder, more = {} }: { folder?: string; more?: Record<string, string> } = {},
) {
  const file = pathToFileURL(join(folder, 'index.mjs')).href;
  const child = fork(join(import.meta.dirname, 'function.js'), [file], {
    env: { ...functionEnvironment(fn, engines), ...more },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const gone = once(child, 'exit');
  const stop = async () => {
    child.kill();
    await gone;
  };
  cleanup.defer(stop);
  const answer = async (): Promise<unknown> => {
    const ended = gone.then(([code]): [Answer] => [{ failure: `ended with ${code}` }]);
    const message = once(child, 'message') as Promise<[Answer]>;
    const [{ done, failure }] = await Promise.race([message, ended]);
    if (failure !== undefined) throw new Error(`${fn.logicalId} in ${folder}: ${failure}`);
    return done;
  };
  return {
    /** How long loading took. */
    loading: (await answer()) as Took,
    /** Invokes it for each of the events. */
    run: async (events: readonly object[]) => {
      const reply = answer();
      child.send(events as Serializable);
      return (await reply) as Run;
    },
    stop,
  };
}
