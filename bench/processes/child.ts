import { fork } from 'node:child_process';
import { once } from 'node:events';
import { basename, join } from 'node:path';

export interface Child<Ready> {
  /** The message that the program sent when it was ready. */
  readonly ready: Ready;
  /** Sends a message and waits for the reply. */
  ask<Answer>(message: unknown): Promise<Answer>;
  stop(): Promise<void>;
}

type Answer = { readonly done?: unknown; readonly failure?: string };

/** Starts a program of this folder in its own process, so that its processor time is counted separately. */
export async function startChild<Ready>(
  program: 'function.js' | 'receiver.ts' | 'service.ts',
  args: readonly string[] = [],
  environment: Readonly<NodeJS.ProcessEnv> = process.env,
): Promise<Child<Ready>> {
  const child = fork(join(import.meta.dirname, program), args, {
    env: environment,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const gone = once(child, 'exit');
  const answer = async (): Promise<unknown> => {
    const ended = gone.then(([code]): [Answer] => [{ failure: `ended with ${code}` }]);
    const message = once(child, 'message') as Promise<[Answer]>;
    const [{ done, failure }] = await Promise.race([message, ended]);
    if (failure !== undefined)
      throw new Error(`${[program, ...args.map((arg) => basename(arg))].join(' ')}: ${failure}`);
    return done;
  };
  return {
    ready: (await answer()) as Ready,
    ask: async <Reply>(message: unknown) => {
      const reply = answer();
      child.send(message as object);
      return (await reply) as Reply;
    },
    stop: async () => {
      child.kill();
      await gone;
    },
  };
}
