import { fork, type Serializable } from 'node:child_process';
import { once } from 'node:events';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type EngineEndpoints, functionEnvironment } from '../../local/functions/function-environment.ts';
import type { FunctionModel } from '../../local/template/service-model.ts';
import type { Rig } from '../rig.ts';

type Answer = { done?: unknown; failure?: string };

/**
 * Starts a program of this folder in its own process, so that its processor time is counted separately. It is stopped
 * when the rig is cleaned up, if not before.
 */
export async function startChild<Ready>(
  { cleanup }: Pick<Rig, 'cleanup'>,
  program: 'function.js' | 'receiver.ts' | 'service.ts',
  args: readonly string[] = [],
  environment: Readonly<NodeJS.ProcessEnv> = process.env,
) {
  const child = fork(join(import.meta.dirname, program), args, {
    env: environment,
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
    if (failure !== undefined)
      throw new Error(`${[program, ...args.map((arg) => basename(arg))].join(' ')}: ${failure}`);
    return done;
  };
  return {
    /** The message that the program sent when it was ready. */
    ready: (await answer()) as Ready,
    /** Sends a message and waits for the reply. */
    ask: async <Reply>(message: Serializable) => {
      const reply = answer();
      child.send(message);
      return (await reply) as Reply;
    },
    stop,
  };
}

export type Took = {
  /** Processor time of all threads, because V8 compiles and collects garbage in others. */
  cpuUs: number;
  wallMs: number;
};

/** A batch of events, one after the other. */
export type Run = Took & {
  responses: readonly unknown[];
};

export type StartedFunction = Awaited<ReturnType<typeof startFunction>>;

/**
 * Loads a function into its own process and keeps it there, or a bare handler from `folder` with the environment of that
 * function and more. It reports how long loading took, and replies to a batch of events with a `Run`. Its output is
 * dropped.
 */
export function startFunction(
  rig: Pick<Rig, 'cleanup'> & { engines: EngineEndpoints },
  fn: FunctionModel,
  { folder = fn.codeFolder, more = {} }: { folder?: string; more?: Record<string, string> } = {},
) {
  const file = pathToFileURL(join(folder, 'index.mjs')).href;
  return startChild<Took>(rig, 'function.js', [file], { ...functionEnvironment(fn, rig.engines), ...more });
}
