import { Argument, Command } from '@commander-js/extra-typings';
import type { Section } from './rig.ts';

/** `npm run bench`. Sections run in their own order, whatever order they are named in. */
export function benchCommand(
  sections: readonly Section[],
  bench: (chosen: readonly Section[], check: boolean) => Promise<void>,
) {
  const described = sections.map(({ name, about }) => `  ${name.padEnd(11)}${about}`);
  return new Command('npm run bench --')
    .description('Measures the service on this machine, against bare baselines.')
    .addArgument(new Argument('[section...]', 'what to measure').choices(sections.map(({ name }) => name)))
    .option('--check', 'End with 1 when a budget is missed, and name it')
    .addHelpText(
      'after',
      `\nSections:\n${described.join('\n')}\n\nWithout a section all run, in five to eight minutes on two cores.\nWhat the figures mean: docs/performance.md\n\nExit code: 0, 1 for a missed budget (--check) or a failure, 2 for wrong usage.`,
    )
    .action((named = [], { check = false }) => {
      const runs = ({ name }: Section) => named.length === 0 || named.includes(name);
      return bench(sections.filter(runs), check);
    });
}
