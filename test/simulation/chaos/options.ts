import { readArguments } from '../../../infra/arguments.ts';

export type Form = 'short' | 'usual' | 'long';

export interface ChaosCommand {
  readonly seed: number;
  readonly form: Form;
  /** Of flows under faults; the rest of a run is draining, and crashes. */
  readonly minutes?: number;
  readonly crash: 'also' | 'only' | 'not';
  readonly json: boolean;
}

export type CommandLine =
  | { readonly kind: 'run'; readonly command: ChaosCommand }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistake'; readonly sentence: string };

export const help = `Lets everything go wrong around the service, and then checks its ledgers.

npm run chaos -- [options]

  --seed <number>     Decides what goes wrong and what is sent (default: drawn, and printed)
  --minutes <number>  How long requests are sent under faults (default 1.2; from 3 on with larger lists and some
                      5,000 pushes, which is 10,000 callbacks)
  --short             A small run of about half a minute, without crashes
  --crash             Only the crashes: a service of its own is killed with kill -9 in the middle of a list of
                      10,000 places, of a bulk send to 10,000 and of the storm of its callbacks
  --no-crash          Without the crashes
  --json              The result as JSON; progress goes to standard error all the same
  --help              Show this text

First requests of all kinds run while calls to the table and the queues fail, hang, are cut off or take effect
without an answer, while messages come twice and out of order, and while functions are killed. Then the faults
end, the service drain, and the ledgers are read around the faults: what clients were told against what is
stored and what arrived. It ends with 1 when they do not balance.

The same seed makes the same decisions: the n-th call of a kind meets the same fault. What the n-th call is
about depends on timing, so a run can be repeated as far as that goes.`;

function mistake(sentence: string): CommandLine {
  return { kind: 'mistake', sentence };
}

function parse(args: readonly string[]) {
  return readArguments(args, {
    options: {
      seed: { type: 'string' },
      minutes: { type: 'string' },
      short: { type: 'boolean', default: false },
      crash: { type: 'boolean', default: false },
      'no-crash': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
}

const longFromMinutes = 3;
const mostMinutes = 60;

/** Reads what stands behind `npm run chaos --`. */
export function readCommandLine(args: readonly string[], drawnSeed: number): CommandLine {
  const read = parse(args);
  if (typeof read === 'string') return mistake(`${read}: --help lists the options.`);
  const { values } = read;
  if (values.help) return { kind: 'help' };
  const seed = values.seed === undefined ? drawnSeed : Number(values.seed);
  if (!Number.isSafeInteger(seed) || seed < 0) {
    return mistake(`--seed takes a whole number from 0 on, not "${values.seed}".`);
  }
  const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
  if (minutes !== undefined && !(minutes > 0 && minutes <= mostMinutes)) {
    return mistake(`--minutes takes a number above 0 and up to ${mostMinutes}, not "${values.minutes}".`);
  }
  if (values.crash && (values['no-crash'] || values.short)) {
    return mistake('--crash runs the crashes alone: leave out --no-crash and --short.');
  }
  const form: Form = values.short ? 'short' : (minutes ?? 0) >= longFromMinutes ? 'long' : 'usual';
  const without = values['no-crash'] || values.short;
  return {
    kind: 'run',
    command: {
      seed,
      form,
      json: values.json,
      crash: values.crash ? 'only' : without ? 'not' : 'also',
      ...(minutes === undefined ? {} : { minutes }),
    },
  };
}
