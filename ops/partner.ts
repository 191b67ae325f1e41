import { systemClock } from '../shared/platform/runtime/clock.ts';
import { systemIds } from '../shared/platform/runtime/ids.ts';
import { processTerminal } from './cli/terminal.ts';
import { runPartner } from './partner/program.ts';

process.exitCode = await runPartner(process.argv.slice(2), {
  terminal: processTerminal(),
  clock: systemClock,
  ids: systemIds,
});
