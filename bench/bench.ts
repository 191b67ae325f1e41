import { availableParallelism, cpus, loadavg } from 'node:os';
import { runProgram } from '../build/command-line.ts';
import { callbacksSection } from './callbacks.ts';
import { coldSection } from './cold.ts';
import { type BenchOptions, benchCommand } from './command.ts';
import { growthOf } from './figure.ts';
import { type Measured, missesOf, tableOf } from './print.ts';
import { pushSection } from './push.ts';
import { type Section, withRig } from './rig.ts';
import { largeSyncSection, syncSection } from './sync.ts';
import { largeUnitsSection, unitsSection } from './units.ts';
import { warmSection } from './warm/section.ts';

/** All sections, in the order in which they run. */
const sections: readonly Section[] = [
  coldSection,
  warmSection,
  unitsSection,
  syncSection,
  pushSection,
  callbacksSection,
  largeUnitsSection,
  largeSyncSection,
];

function say(progress: string): void {
  process.stderr.write(`${progress}\n`);
}

async function measure({ name, run }: Section): Promise<Measured> {
  const startedAt = performance.now();
  say(`${name} ...`);
  const figures = await withRig((progress) => say(`  ${name}: ${progress}`), run);
  const seconds = (performance.now() - startedAt) / 1_000;
  return { section: name, seconds, figures: [...figures, ...growthOf(figures)] };
}

/** The system's load averages. Above the number of cores, other programs ran at the same time. */
function loadNow(): number[] {
  return loadavg().map((value) => Math.round(value * 10) / 10);
}

async function bench(chosen: readonly Section[], { json, check }: BenchOptions) {
  const print = (text: string) => {
    if (!json) console.log(text);
  };
  const [{ model: cpu = 'unknown' } = {}] = cpus();
  const date = new Date().toISOString();
  const machine = { cpu, cores: availableParallelism(), node: process.version, date, load: loadNow() };
  print(`${date}, Node ${machine.node}, ${machine.cores} cores of ${cpu}, load ${machine.load.join(' ')}`);
  const measured: Measured[] = [];
  const failures: string[] = [];
  for (const section of chosen) {
    try {
      const one = await measure(section);
      measured.push(one);
      print(`\n### ${one.section} (${Math.round(one.seconds)} s)\n\n${tableOf(one.figures)}`);
    } catch (error) {
      // Continue with the other sections.
      const { message, stack } = error instanceof Error ? error : new Error(String(error));
      failures.push(`${section.name}: ${message}`);
      say(stack ?? message);
    }
  }
  const misses = missesOf(measured);
  const loadAfter = loadNow();
  print(`\nLoad at the end: ${loadAfter.join(' ')}`);
  const document = { machine: { ...machine, loadAfter }, measured, misses, failures };
  if (json) console.log(JSON.stringify(document, null, 2));
  for (const failure of failures) say(`Not measured: ${failure}`);
  if (check) for (const miss of misses) say(`Missed: ${miss}`);
  process.exitCode = failures.length > 0 || (check && misses.length > 0) ? 1 : 0;
}

// Temporary folders are removed at exit, and child processes end when this one is gone.
for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143 })) {
  process.once(signal, () => process.exit(code));
}

const exitCode = await runProgram(benchCommand(sections, bench));
if (exitCode !== 0) process.exitCode = exitCode;
