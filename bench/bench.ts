import { helpFor, readBenchCommand } from './command-line.ts';
import { growthOf } from './growth.ts';
import { machine, machineText } from './machine.ts';
import { type Measured, missesOf, textOf } from './print.ts';
import type { Section } from './section.ts';
import { sections } from './sections.ts';

function say(progress: string): void {
  process.stderr.write(`${progress}\n`);
}

async function runSection({ name, run }: Section): Promise<Measured> {
  const startedAt = performance.now();
  say(`${name} ...`);
  const figures = await run((progress) => say(`  ${name}: ${progress}`));
  return { section: name, seconds: (performance.now() - startedAt) / 1_000, figures };
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function bench(chosen: readonly Section[], { json, check }: { json: boolean; check: boolean }) {
  const before = machine();
  if (!json) console.log(`${machineText(before)}\n`);
  const measured: Measured[] = [];
  const failures: string[] = [];
  for (const section of chosen) {
    try {
      const one = await runSection(section);
      measured.push(one);
      if (!json) console.log(`${textOf(one)}\n`);
    } catch (error) {
      // The others can still be measured.
      failures.push(`${section.name}: ${sentenceOf(error)}`);
      say(error instanceof Error ? `${error.stack}` : String(error));
    }
  }
  const misses = missesOf(measured);
  const loadAfter = machine().load;
  const grown = measured.map((one) => ({ ...one, growth: growthOf(one.figures) }));
  const document = { machine: { ...before, loadAfter }, measured: grown, misses, failures };
  console.log(json ? JSON.stringify(document, null, 2) : `Load at the end: ${loadAfter.join(' ')}`);
  for (const failure of failures) say(`Not measured: ${failure}`);
  if (check) for (const miss of misses) say(`Missed: ${miss}`);
  process.exitCode = failures.length > 0 || (check && misses.length > 0) ? 1 : 0;
}

// Folders of sections are removed at exit, and their processes end when this one is gone.
for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143 })) {
  process.once(signal, () => process.exit(code));
}

const command = readBenchCommand(process.argv.slice(2), sections);
switch (command.kind) {
  case 'help':
    console.log(helpFor(sections));
    break;
  case 'mistake':
    console.error(command.sentence);
    process.exitCode = 2;
    break;
  case 'bench':
    await bench(command.sections, command);
}
