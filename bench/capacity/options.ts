import { readArguments } from '../../infra/arguments.ts';
import { isPreset, type Load, type Preset, presets } from './load.ts';

export type CapacityCommand =
  | { readonly kind: 'report'; readonly name: string; readonly load: Load; readonly json: boolean }
  | { readonly kind: 'plot' }
  | { readonly kind: 'memory' }
  | { readonly kind: 'simulate'; readonly json: boolean }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistake'; readonly sentence: string };

export const help = `Reckons what a load costs a month in AWS, what it needs, and which limit it reaches first.

npm run capacity -- [preset] [options]

  small-chain              one retailer with 500 shops (default)
  national-retailer        ten programs with 10,000 shops each
  million-a-minute         the same, and an hour of 1,000,000 pushes a minute to registered phones

Options change the preset:

  --partners <n>           Partners, one offer each
  --places <n>             Service points of each
  --syncs-a-day <n>        Lists that each sends a day
  --changed-percent <p>    Of a list, what changed since the last
  --check-ins-a-day <n>    Of all partners together
  --pushes-a-minute <n>    Recipients of all partners together, while pushes are sent
  --hours <h>              How long they are sent on such a day
  --push-days <n>          On how many days of a month of 30
  --bulk-size <n>          Recipients of a request; 1 is a single message
  --registered-percent <p> Of recipients, who has the wallet
  --opened-percent <p>     Of messages, what is opened
  --callbacks-percent <p>  Of messages, what asks for callbacks
  --failing-callbacks-percent <p>  Of callbacks, what fails at first
  --json                   Print everything as JSON

  --simulate               Follow an hour of 1,000,000 pushes a minute instead, second by second
  --memory                 What other memory sizes would mean for functions: times and dollars
  --plot                   Draw that into docs/images, and renew the tables of docs/capacity.md
  --help                   Show this text

Units of the table are measured, prices and quotas published, times in AWS reckoned: docs/capacity.md.`;

/** Name of the option, member of the load, and what it takes. */
const numbers = {
  partners: { member: 'partners', least: 1, most: 100_000, whole: true },
  places: { member: 'places', least: 0, most: 100_000, whole: true },
  'syncs-a-day': { member: 'syncsADay', least: 0, most: 1_440, whole: false },
  'changed-percent': { member: 'changedPercent', least: 0, most: 100, whole: false },
  'check-ins-a-day': { member: 'checkInsADay', least: 0, most: 1e9, whole: false },
  'pushes-a-minute': { member: 'pushesAMinute', least: 0, most: 1e9, whole: false },
  hours: { member: 'hours', least: 0, most: 24, whole: false },
  'push-days': { member: 'pushDays', least: 0, most: 30, whole: true },
  'bulk-size': { member: 'bulkSize', least: 1, most: 10_000, whole: true },
  'registered-percent': { member: 'registeredPercent', least: 0, most: 100, whole: false },
  'opened-percent': { member: 'openedPercent', least: 0, most: 100, whole: false },
  'callbacks-percent': { member: 'callbacksPercent', least: 0, most: 100, whole: false },
  'failing-callbacks-percent': { member: 'failingCallbacksPercent', least: 0, most: 100, whole: false },
} as const satisfies Record<string, { member: keyof Load; least: number; most: number; whole: boolean }>;

type NumberOption = keyof typeof numbers;
const numberOptions = Object.keys(numbers) as NumberOption[];

function mistake(sentence: string): CapacityCommand {
  return { kind: 'mistake', sentence };
}

function parse(args: readonly string[]) {
  return readArguments(args, {
    allowPositionals: true,
    options: {
      ...(Object.fromEntries(numberOptions.map((name) => [name, { type: 'string' }])) as Record<
        NumberOption,
        { type: 'string' }
      >),
      json: { type: 'boolean', default: false },
      simulate: { type: 'boolean', default: false },
      plot: { type: 'boolean', default: false },
      memory: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
}

function numberOf(name: NumberOption, given: string): number | string {
  const { least, most, whole } = numbers[name];
  const value = Number(given);
  const fits = given.trim() !== '' && value >= least && value <= most && (!whole || Number.isInteger(value));
  const range = `from ${least} to ${most.toLocaleString('en')}`;
  return fits ? value : `--${name} takes a ${whole ? 'whole ' : ''}number ${range}, not "${given}".`;
}

export function readOptions(args: readonly string[]): CapacityCommand {
  const parsed = parse(args);
  if (typeof parsed === 'string') return mistake(`${parsed}: --help lists the options.`);
  const { values, positionals } = parsed;
  if (values.help) return { kind: 'help' };
  const task = (['plot', 'memory', 'simulate'] as const).find((name) => values[name]);
  if (task !== undefined) return withoutLoad(task, parsed);
  const [name = 'small-chain', more] = positionals;
  if (more !== undefined || !isPreset(name)) {
    return mistake(`"${more ?? name}" is no preset: ${Object.keys(presets).join(', ')}.`);
  }
  return withNumbers(name, values);
}

type Parsed = Exclude<ReturnType<typeof parse>, string>;

/** These are always of the same loads, so what describes another would be passed over. */
function withoutLoad(kind: 'plot' | 'memory' | 'simulate', { values, positionals }: Parsed): CapacityCommand {
  const takes = kind === 'simulate' ? ['simulate', 'json'] : [kind];
  const given = Object.entries(values).flatMap(([name, value]) => (value === false ? [] : [name]));
  const [other] = [
    ...positionals,
    ...given.filter((name) => !takes.includes(name)).map((name) => `--${name}`),
  ];
  if (other !== undefined) return mistake(`--${kind} and ${other} do not go together.`);
  return kind === 'simulate' ? { kind, json: values.json } : { kind };
}

function withNumbers(name: Preset, values: Parsed['values']): CapacityCommand {
  const changes: Partial<Record<keyof Load, number>> = {};
  for (const option of numberOptions) {
    const given = values[option];
    if (given === undefined) continue;
    const value = numberOf(option, given);
    if (typeof value === 'string') return mistake(value);
    changes[numbers[option].member] = value;
  }
  const changed = Object.keys(changes).length > 0;
  const load: Load = { ...presets[name], ...changes };
  return { kind: 'report', name: changed ? `${name}, changed` : name, load, json: values.json };
}
