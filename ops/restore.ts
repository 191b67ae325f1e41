import { systemClock } from '../shared/platform/runtime/clock.ts';
import { processTerminal } from './cli/terminal.ts';
import { runRestore } from './data-lifecycle/restore-program.ts';

process.exitCode = await runRestore(process.argv.slice(2), {
  terminal: processTerminal(),
  clock: systemClock,
});
