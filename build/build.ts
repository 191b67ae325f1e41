import { Command } from '@commander-js/extra-typings';
import { runProgram } from '../ops/cli/command-line.ts';
import { buildAssembly } from './assembly.ts';

process.exitCode = await runProgram(
  new Command('npm run build')
    .description('Bundles the functions, and synthesizes the templates of the stage dev into cdk.out.')
    .action(buildAssembly),
);
