import { Argument, Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { runProgram } from '../ops/cli/command-line.ts';
import { optionOf } from '../ops/cli/option-values.ts';
import { type LoadNumber, loadNumbers, presets, wholeNumbers } from './capacity/load.ts';
import { estimate, formatReport } from './capacity/report.ts';

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

const program = new Command('npm run capacity --')
  .description('Estimates what a load costs a month in AWS, and which limit it meets first.')
  .addArgument(new Argument('[preset]', 'The load').choices(presetNames).default('small-chain' as const))
  .addHelpText(
    'after',
    '\nThe options change the preset. Units of the table are measured, prices and quotas published,\ndurations in AWS estimated: docs/capacity.md',
  )
  .action((preset, numbers) => {
    const changed = Object.keys(numbers).length > 0;
    const load = { ...presets[preset], ...numbers };
    console.log(formatReport(estimate({ name: changed ? `${preset}, changed` : preset, load })));
  });
for (const member of Object.keys(loadNumbers) as LoadNumber[]) program.addOption(optionFor(member));

process.exitCode = await runProgram(program);
