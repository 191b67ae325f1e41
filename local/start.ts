import { currentAssembly } from '../build/assembly.ts';
import { runProgram } from '../ops/cli/command-line.ts';
import { type LocalService, startLocalService } from './service.ts';
import { startCommand } from './start-command.ts';
import { watchSources } from './watch-sources.ts';
import { welcome } from './welcome.ts';

/** Ctrl-C ends the process after this time, even if something still hangs. */
const stopDeadlineMs = 800;

let service: LocalService | undefined;

async function stop(): Promise<void> {
  setTimeout(() => process.exit(0), stopDeadlineMs).unref();
  await service?.stop();
  process.exit(0);
}

const program = startCommand().action(
  async ({ state: stateDir, fresh = false, watch, walletDelayMs, ...options }) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
    const settings = {
      ...options,
      stateDir,
      walletDelaySeconds: Math.round(walletDelayMs / 1_000),
      underRoles: true,
      onLost: (sentence: string) => {
        console.error(sentence);
        process.exit(1);
      },
    };
    const started = await startLocalService({ ...settings, fresh, assemblyDir: await currentAssembly() });
    service = started;
    console.log(welcome(started.endpoints, stateDir));
    if (!watch) return;
    watchSources(async () => {
      // A build that fails leaves the service running as it was.
      const assemblyDir = await currentAssembly();
      await service?.stop();
      service = await startLocalService({ ...settings, assemblyDir, port: started.port });
    });
  },
);

const exitCode = await runProgram(program);
// A failed start may leave the thread of an engine behind.
if (exitCode !== 0) process.exit(exitCode);
