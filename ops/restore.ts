import { systemDeps } from './cli/command-line.ts';
import { runRestore } from './data-lifecycle/restore-program.ts';

process.exitCode = await runRestore(process.argv.slice(2), systemDeps());
