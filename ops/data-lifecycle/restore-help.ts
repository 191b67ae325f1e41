import { targetOptions } from '../cli/find-table.ts';
import type { OptionSet } from '../cli/options.ts';
import { listing } from '../cli/plain-table.ts';
import { rateOptions } from './unit-rate.ts';

export const restoreOptions: OptionSet = {
  from: { value: 'TABLE', text: 'The restored copy, in the same account and region' },
  ...targetOptions,
  partner: { value: 'ID', text: "Only a partner's rows" },
  rows: { value: 'PK', text: "Only the rows of this partition key, 'PLACES#bars-of-moscow' say" },
  kind: {
    value: 'KIND',
    repeatable: true,
    text: "Only rows of this kind, 'service point' say; may be repeated",
  },
  'delete-new': { text: 'Also delete rows that the copy lacks' },
  'dry-run': { text: 'Show the differences, change nothing' },
  yes: { text: "Go on without typing the live table's name" },
  ...rateOptions,
  json: { text: 'Print one JSON document and nothing else' },
  help: { text: 'Show this text' },
};

function lines(options: OptionSet): string {
  return listing(
    Object.entries(options).map(([name, { value, text }]) => [
      value === undefined ? `--${name}` : `--${name} ${value}`,
      text,
    ]),
  );
}

export const restoreHelp = `Puts rows of a restored copy of the table back into the live one.

  npm run restore -- --from <table> [--stage prod] [--partner ID | --rows PK] [--kind KIND]... [--dry-run]

${lines(restoreOptions)}

It compares first, shows the differences by kind of row, and asks. Then it puts back what is missing or different; rows
that the copy lacks stay, unless you say --delete-new. It cannot tell damage from a change that was meant: narrow
it down. The service may go on meanwhile, and a run that was stopped is simply run again.

What lives shortly is left alone: rates, gates, sync sessions, active check-ins, callbacks and what is known of
endpoints' health, idempotency keys, parked messages. Counters never go back. Messages come back without being sent
again. What was erased or forgotten after the copy's moment comes back too: erase and forget it again.

Exit codes: 0 done, 1 failed, or something changed meanwhile, 2 wrong usage.`;
