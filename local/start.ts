import { currentAssembly } from '../build/assembly.ts';
import { runProgram } from '../build/command-line.ts';
import { type LocalService, startLocalService } from './service.ts';
import { startCommand } from './start-command.ts';
import { watchSources } from './watch-sources.ts';
import { welcome } from './welcome.ts';

/** Whoever presses Ctrl-C does not wait longer, whatever still hangs. */
const stopDeadlineMs = 800;

let service: LocalService | undefined;

async function stop(): Promise<void> {
  setTimeout(() => process.exit(0), stopDeadlineMs).unref();
  await service?.stop();
  process.exit(0);
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

const program = startCommand().action(
  async ({ state: stateDir, fresh = false, watch, walletDelayMs, ...options }) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
    service = await startLocalService({
      ...options,
      stateDir,
      fresh,
      assemblyDir: await currentAssembly(),
      walletDelaySeconds: Math.round(walletDelayMs / 1_000),
      onLost: fail,
    });
    console.log(welcome(service, stateDir));
    if (watch) watchSources(service, stateDir);
  },
);

const exitCode = await runProgram(program);
// A failed start may leave the thread of an engine behind.
if (exitCode !== 0) process.exit(exitCode);
