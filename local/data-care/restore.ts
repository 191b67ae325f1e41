import { systemClock } from '../../shared/runtime/clock.ts';
import { processTerminal } from '../partner/terminal.ts';
import { runRestore } from './run-restore.ts';

process.exitCode = await runRestore(process.argv.slice(2), {
  terminal: processTerminal(),
  clock: systemClock,
});
