import { availableParallelism, cpus, loadavg } from 'node:os';
import { runProgram } from '../ops/cli/command-line.ts';
import { callbacksSection } from './callbacks.ts';
import { coldSection } from './cold.ts';
import { benchCommand } from './command.ts';
import { measureGrowth } from './figure.ts';
import { formatTable, listMisses } from './print.ts';
import { pushSection } from './push.ts';
import { type Section, withRig } from './rig.ts';
import { syncSection } from './sync.ts';
import { unitsSection } from './units.ts';
import { warmSection } from './warm/section.ts';

/** All sections, in the order in which they run. */
const sections: readonly Section[] = [
  coldSection,
  warmSection,
  unitsSection,
  syncSection,
  pushSection,
  callbacksSection,
];

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

/** The system's load averages. Above the number of cores, other programs ran at the same time. */
function loadNow(): string {
  return loadavg()
    .map((value) => value.toFixed(1))
    .join(' ');
}

async function bench(chosen: readonly Section[], check: boolean) {
  const [{ model: cpu = 'unknown' } = {}] = cpus();
  const machine = `Node ${process.version}, ${availableParallelism()} cores of ${cpu}`;
  console.log(`${new Date().toISOString()}, ${machine}, load ${loadNow()}`);
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
  console.log(`\nLoad at the end: ${loadNow()}`);
  for (const failure of failures) say(`Not measured: ${failure}`);
  if (check) for (const miss of misses) say(`Missed: ${miss}`);
  process.exitCode = failures.length > 0 || (check && misses.length > 0) ? 1 : 0;
}

const exitCode = await runProgram(benchCommand(sections, bench));
if (exitCode !== 0) process.exitCode = exitCode;
