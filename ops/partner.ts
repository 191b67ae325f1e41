import { systemDeps } from './cli/command-line.ts';
import { runPartner } from './partner/program.ts';

process.exitCode = await runPartner(process.argv.slice(2), systemDeps());
