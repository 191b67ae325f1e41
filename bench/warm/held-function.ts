import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command, Run } from './worker.ts';

export interface HeldFunction {
  run(events: readonly object[]): Promise<Run>;
  end(): Promise<void>;
}

/** Loads a function into a process of its own and keeps it warm there. What it prints goes nowhere. */
export async function holdFunction(
  name: string,
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<HeldFunction> {
  const child = fork(join(import.meta.dirname, 'worker.ts'), [], {
    env: environment,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const gone = once(child, 'exit');
  const ask = async (command: Command): Promise<unknown> => {
    const answered = once(child, 'message') as Promise<[{ done?: unknown; failure?: string }]>;
    child.send(command);
    const [response] = await Promise.race([answered, gone.then(([code]) => [{ failure: `exit ${code}` }])]);
    if (response?.failure !== undefined) throw new Error(`${name}: ${response.failure}`);
    return response && 'done' in response ? response.done : undefined;
  };
  await ask({ kind: 'load', file: pathToFileURL(join(folder, 'index.mjs')).href });
  return {
    run: async (events) => (await ask({ kind: 'run', events })) as Run,
    end: async () => {
      child.kill();
      await gone;
    },
  };
}
