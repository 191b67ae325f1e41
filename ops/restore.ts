import { systemClock } from '../shared/runtime/clock.ts';
import { processTerminal } from './cli/terminal.ts';
import { runRestore } from './data-lifecycle/run-restore.ts';

process.exitCode = await runRestore(process.argv.slice(2), {
  terminal: processTerminal(),
  clock: systemClock,
});
