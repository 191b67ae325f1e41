import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildAssembly, isStale } from '../build/assembly.ts';
import { CommandError } from '../build/command-line.ts';
import { readArguments } from '../infra/arguments.ts';
import { findRunningService } from './invoke/running-service.ts';
import { samEnvironment } from './invoke/sam-environment.ts';
import { StartUpError } from './start-up-error.ts';
import { readServiceModel } from './template/service-model.ts';

const help = `Writes the environment of all functions for "sam local", which cannot resolve what the template imports.

npm run sam:env -- [options]

  --host <name>     How a container reaches this machine (default host.docker.internal)
  --state <folder>  State folder of the service that npm start runs (default .local)
  --help            Show this text

The file is <state folder>/sam-env.json. The service must run, and the file is good as long as it does:
docs/invoking.md has the commands.`;

const assemblyDir = 'cdk.out';

function readOptions() {
  return readArguments(process.argv.slice(2), {
    options: {
      host: { type: 'string', default: 'host.docker.internal' },
      state: { type: 'string', default: '.local' },
      help: { type: 'boolean', default: false },
    },
  });
}

async function writeEnvironment({ host, state }: { host: string; state: string }): Promise<void> {
  const service = await findRunningService(state);
  if (!service)
    throw new StartUpError(`No service runs on ${state}: start one with npm start, in another terminal.`);
  if (isStale(assemblyDir)) await buildAssembly();
  const file = join(state, 'sam-env.json');
  const environment = samEnvironment(readServiceModel(resolve(assemblyDir)), service, host);
  writeFileSync(file, `${JSON.stringify(environment, null, 2)}\n`);
  console.log(`Wrote ${file} for ${Object.keys(environment).length} functions.`);
}

async function run(): Promise<number> {
  const read = readOptions();
  if (typeof read === 'string') {
    console.error(`${read}: --help lists the options.`);
    return 2;
  }
  if (read.values.help) console.log(help);
  else await writeEnvironment(read.values);
  return 0;
}

process.exitCode = await run().catch((error: unknown) => {
  if (!(error instanceof CommandError)) throw error;
  console.error(error.message);
  return 1;
});
