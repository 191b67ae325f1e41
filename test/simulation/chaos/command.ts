import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { usageError } from '../../../build/command-line.ts';

export type Size = 'short' | 'usual' | 'long';

export interface ChaosOptions {
  readonly seed: number;
  readonly size: Size;
  /** How long flows run under faults; draining and crashes come after it. */
  readonly minutes?: number;
  readonly crash: 'also' | 'only' | 'not';
  readonly json: boolean;
}

const about =
  'Runs the service under faults of every kind, and then checks the ledger: what clients were told against what is ' +
  'stored and what arrived. Ends with 1 when it does not balance.';

const more = `
First requests of all kinds run while calls to the table and the queues fail, hang, break or take effect without
a response, while messages come twice and out of order, and while functions are killed. Then the faults end, the
queues drain, and the ledger is read past the faults.

The same seed makes the same decisions: the n-th call of a kind has the same fault. What the n-th call is about
depends on timing, so a run can be repeated only that far.`;

const longFromMinutes = 3;
const maxMinutes = 60;

function seedOf(text: string): number {
  const seed = Number(text);
  if (Number.isSafeInteger(seed) && seed >= 0) return seed;
  throw new InvalidArgumentError('takes a whole number from 0 on.');
}

function minutesOf(text: string): number {
  const minutes = Number(text);
  if (minutes > 0 && minutes <= maxMinutes) return minutes;
  throw new InvalidArgumentError(`takes a number above 0 and up to ${maxMinutes}.`);
}

/** `npm run chaos --`; without `--seed` it runs with the one given here. */
export function chaosCommand(seedIfNone: number, run: (options: ChaosOptions) => Promise<void>) {
  return new Command('npm run chaos --')
    .description(about)
    .option(
      '--seed <number>',
      'decides what goes wrong and what is sent (default: random, and printed)',
      seedOf,
    )
    .option(
      '--minutes <number>',
      'how long requests are sent under faults (default 1.2; from 3 on with larger lists and some 5,000 pushes, which is 10,000 callbacks)',
      minutesOf,
    )
    .option('--short', 'a small run of about half a minute, without crashes')
    .option(
      '--crash',
      'only the crashes: a service of its own is killed with kill -9 in the middle of a list of 10,000 places, of a bulk send to 10,000 and of its callbacks',
    )
    .option('--no-crash', 'without the crashes')
    .option('--json', 'print the result as JSON; progress goes to standard error all the same')
    .addHelpText('after', more)
    .action(async ({ seed = seedIfNone, minutes, short = false, crash, json = false }) => {
      if (crash && short) {
        throw usageError('--crash runs the crashes alone: leave out --no-crash and --short.');
      }
      await run({
        seed,
        size: short ? 'short' : (minutes ?? 0) >= longFromMinutes ? 'long' : 'usual',
        crash: crash ? 'only' : crash === false || short ? 'not' : 'also',
        json,
        ...(minutes === undefined ? {} : { minutes }),
      });
    });
}
