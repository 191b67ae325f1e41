import { fork } from 'node:child_process';
import { once } from 'node:events';

export interface ServerProcess<Told> {
  /** What it said when it was ready. */
  readonly told: Told;
  /** What it answers to a message. */
  ask(): Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts a server in another process: a load generator must not take turns with what it loads. */
export async function startServer<Told>(
  program: URL,
  args: readonly string[] = [],
): Promise<ServerProcess<Told>> {
  const child = fork(program, args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const gone = once(child, 'exit');
  const first = await Promise.race([once(child, 'message'), gone.then(() => undefined)]);
  if (!first) throw new Error(`${program.pathname.split('/').at(-1)} did not start`);
  return {
    told: first[0] as Told,
    ask: async () => {
      const answered = once(child, 'message');
      child.send('tell');
      return (await answered)[0];
    },
    stop: async () => {
      if (child.connected) child.send('stop');
      await gone;
    },
  };
}
