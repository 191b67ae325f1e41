import { runProgram } from '../ops/cli/command-line.ts';
import { capacityCommand } from './capacity/command.ts';

process.exitCode = await runProgram(capacityCommand());
