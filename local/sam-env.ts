import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { currentAssembly } from '../build/assembly.ts';
import { failure, runProgram } from '../build/command-line.ts';
import { findRunningService } from './invoke/running-service.ts';
import { samEnvironment } from './invoke/sam-environment.ts';
import { prefixNames } from './template/prefix-names.ts';
import { readServiceModel } from './template/service-model.ts';

const program = new Command('npm run sam:env --')
  .description(
    'Writes the environment of all functions for "sam local", which cannot resolve what the template imports.',
  )
  .option('--host <name>', 'How a container reaches this machine', 'host.docker.internal')
  .option('--state <folder>', 'State folder of the service that npm start runs', '.local')
  .addHelpText(
    'after',
    `
The file is <state folder>/sam-env.json. The service must run, and the file is valid until it stops:
docs/invoking.md has the commands.`,
  )
  .action(async ({ host, state }) => {
    const service = await findRunningService(state);
    if (!service) {
      throw failure(`No service runs on ${state}: start one with npm start, in another terminal.`);
    }
    const file = join(state, 'sam-env.json');
    const model = readServiceModel(resolve(await currentAssembly()));
    const environment = samEnvironment(prefixNames(model, model, service.namePrefix), service, host);
    writeFileSync(file, `${JSON.stringify(environment, null, 2)}\n`);
    console.log(`Wrote ${file} for ${Object.keys(environment).length} functions.`);
  });

process.exitCode = await runProgram(program);
