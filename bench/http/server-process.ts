import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface ServerProcess<Told> {
  /** What it said when it was ready. */
  readonly told: Told;
  stop(): Promise<void>;
}

/** Starts a server of this folder in another process: a load generator must not take turns with what it loads. */
export const startServer = async <Told>(
  program: 'service-process.ts' | 'bare-server.ts',
  args: readonly string[] = [],
): Promise<ServerProcess<Told>> => {
  const child = fork(join(import.meta.dirname, program), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const gone = once(child, 'exit');
  const first = await Promise.race([once(child, 'message'), gone.then(() => undefined)]);
  if (!first) throw new Error(`${program} did not start`);
  return {
    told: first[0] as Told,
    stop: async () => {
      if (child.connected) child.send('stop');
      await gone;
    },
  };
};
