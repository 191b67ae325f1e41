import { buildAssembly, isStale } from '../build/assembly.ts';
import { CommandError } from '../build/command-line.ts';
import { help, readCommandLine, type StartOptions } from './command-line.ts';
import { type LocalService, startLocalService } from './service.ts';
import { watchSources } from './watch-sources.ts';
import { welcome } from './welcome.ts';

const assemblyDir = 'cdk.out';

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

async function start({ stateDir, watch, ...options }: StartOptions): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  if (isStale(assemblyDir)) await buildAssembly();
  service = await startLocalService({ ...options, stateDir, assemblyDir, onLost: fail });
  console.log(welcome(service.endpoints, stateDir));
  if (watch) watchSources(service, stateDir);
}

const commandLine = readCommandLine(process.argv.slice(2));
switch (commandLine.kind) {
  case 'help':
    console.log(help);
    break;
  case 'mistake':
    console.error(commandLine.sentence);
    process.exitCode = 2;
    break;
  case 'start':
    await start(commandLine.options).catch((error: unknown) => {
      if (error instanceof CommandError) fail(error.message);
      throw error;
    });
}
