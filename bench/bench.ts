import { availableParallelism, cpus } from 'node:os';
import { Argument, Command } from '@commander-js/extra-typings';
import { runProgram } from '../ops/cli/command-line.ts';
import { callbacksSection } from './callbacks.ts';
import { coldSection } from './cold.ts';
import { measureGrowth } from './figure.ts';
import { formatTable, listMisses } from './print.ts';
import { type Section, withRig } from './rig.ts';
import { pushSection, syncSection } from './timed.ts';
import { warmSection } from './warm/section.ts';

/** All sections, in the order in which they run. */
const sections: readonly Section[] = [coldSection, warmSection, syncSection, pushSection, callbacksSection];

function say(progress: string): void {
  process.stderr.write(`${progress}\n`);
}

async function measure({ name, run }: Section): Promise<string[]> {
  const startedAt = performance.now();
  say(`${name} ...`);
  const figures = await withRig((progress) => say(`  ${name}: ${progress}`), run);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const all = [...figures, ...measureGrowth(figures)];
  console.log(`\n### ${name} (${seconds} s)\n\n${formatTable(all)}`);
  return listMisses(name, all);
}

async function bench(chosen: readonly Section[]) {
  const [{ model: cpu = 'unknown' } = {}] = cpus();
  const machine = `Node ${process.version}, ${availableParallelism()} cores of ${cpu}`;
  console.log(`${new Date().toISOString()}, ${machine}`);
  const misses: string[] = [];
  const failures: string[] = [];
  for (const section of chosen) {
    try {
      misses.push(...(await measure(section)));
    } catch (error) {
      const { message, stack } = error instanceof Error ? error : new Error(String(error));
      failures.push(`${section.name}: ${message}`);
      say(stack ?? message);
    }
  }
  for (const failure of failures) say(`Not measured: ${failure}`);
  for (const miss of misses) say(`Missed: ${miss}`);
  process.exitCode = failures.length + misses.length > 0 ? 1 : 0;
}

const described = sections.map(({ name, about }) => `  ${name.padEnd(11)}${about}`);

const program = new Command('npm run bench --')
  .description('Measures the service on this machine, against bare baselines.')
  .addArgument(new Argument('[section...]', 'What to measure').choices(sections.map(({ name }) => name)))
  .addHelpText(
    'after',
    `
Sections:
${described.join('\n')}

Without a section all run, in their order, in four to seven minutes on two cores.
What the figures mean: docs/performance.md

Exit code: 0, 1 for a missed budget or a failure, 2 for wrong usage.`,
  )
  .action((named = []) => {
    const runs = ({ name }: Section) => named.length === 0 || named.includes(name);
    return bench(sections.filter(runs));
  });

const exitCode = await runProgram(program);
if (exitCode !== 0) process.exitCode = exitCode;
