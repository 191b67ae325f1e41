import { Argument, Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { optionOf } from '../../ops/cli/option-values.ts';
import { type Load, type LoadNumber, loadNumbers, presets, wholeNumbers } from './load.ts';

export type Question = {
  name: string;
  load: Load;
  json: boolean;
};

const presetNames = Object.keys(presets) as (keyof typeof presets)[];

function optionFor(member: LoadNumber): Option {
  const [about, [least, most]] = loadNumbers[member];
  const whole = wholeNumbers.includes(member);
  return new Option(`--${optionOf(member)} <n>`, about).argParser((given) => {
    const value = Number(given);
    const inRange = given.trim() !== '' && value >= least && value <= most;
    if (inRange && (!whole || Number.isInteger(value))) return value;
    const kind = whole ? 'a whole number' : 'a number';
    throw new InvalidArgumentError(`It takes ${kind} from ${least} to ${most.toLocaleString('en')}.`);
  });
}

export function capacityCommand(ask: (question: Question) => void): Command<[string]> {
  const command = new Command('npm run capacity --')
    .description('Estimates what a load costs a month in AWS, and which limit it meets first.')
    .addArgument(new Argument('[preset]', 'The load').choices(presetNames).default('small-chain' as const))
    .option('--json', 'Print everything as JSON')
    .addHelpText(
      'after',
      '\nThe options in numbers change the preset. Units of the table are measured, prices and quotas published,\ndurations in AWS estimated: docs/capacity.md',
    )
    .action((preset, { json = false, ...numbers }) => {
      const changed = Object.keys(numbers).length > 0;
      const load: Load = { ...presets[preset], ...numbers };
      ask({ name: changed ? `${preset}, changed` : preset, load, json });
    });
  for (const member of Object.keys(loadNumbers) as LoadNumber[]) command.addOption(optionFor(member));
  return command;
}
