import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { currentAssembly } from '../../build/assembly.ts';
import { temporaryFolder } from '../../local/temporary-folder.ts';
import { failure, runProgram, usageError } from '../../ops/cli/command-line.ts';
import { wholeNumber } from '../../ops/cli/option-values.ts';
import { importsOf, readSources } from '../support/import-graph.ts';
import { keepDataInMemory } from '../support/memory.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { type Change, changesOf } from './changes.ts';

/** Tests that load the code. The others run its bundles. */
const loadsCode = /^test\/(unit|integration|security\/egress)\//;
/** Most changes are noticed by the nearest test files, so these run first. */
const nearest = 5;
/** The simulation runs after this many. */
const near = 60;
const simulatedRuns = 20;
/** A command that takes longer was made to loop by the change. */
const maxMs = 300_000;

const report = 'changed.report.json';
const vitest = `node_modules/vitest/vitest.mjs run --bail 1 --reporter json --outputFile ${report}`.split(
  ' ',
);
const types = 'node_modules/typescript/bin/tsc -p changed.tsconfig.json'.split(' ');
const linter = ['node_modules/@biomejs/biome/bin/biome', 'lint'];
const simulation = `test/simulation/simulate.ts --seed 1 --runs ${simulatedRuns}`.split(' ');

const sources = readSources();
const allTests = sources.map(({ file }) => file).filter((file) => file.endsWith('.test.ts'));
const importsTo = Map.groupBy(
  sources.flatMap(importsOf).filter(({ ofTypes }) => !ofTypes),
  ({ to }) => to,
);

/** Returns the test files that load a file, the nearest first: each longer word of its path is worth an import between them. */
function testsNear(file: string): string[] {
  const distances = new Map([[file, 0]]);
  for (const [near, distance] of distances)
    for (const { from } of importsTo.get(near) ?? [])
      if (!distances.has(from)) distances.set(from, distance + 1);
  const stems = (file.match(/[a-z]{4,}/g) ?? []).map((word) => word.slice(0, 6));
  const cost = (test: string) =>
    (distances.get(test) ?? 0) +
    (test.startsWith('test/unit/') ? 0 : 0.5) -
    stems.filter((stem) => test.includes(stem)).length;
  return allTests
    .filter((test) => loadsCode.test(test) && distances.has(test))
    .sort((a, b) => cost(a) - cost(b));
}

/** Makes a copy of the project, whose code may be changed. */
async function copyProject(): Promise<string> {
  await currentAssembly();
  const { path } = temporaryFolder('mutants');
  const filter = (from: string) => !/(^|\/)(node_modules|\.git|\.local)(\/|$)/.test(from);
  cpSync('.', path, { recursive: true, filter });
  symlinkSync(resolve('node_modules'), join(path, 'node_modules'));
  const own = {
    include: ['functions', 'shared'],
    compilerOptions: { incremental: true, tsBuildInfoFile: 'b' },
  };
  writeFileSync(join(path, 'changed.tsconfig.json'), JSON.stringify({ extends: './tsconfig.json', ...own }));
  // No program that a test runs may find the bundles out of date.
  utimesSync(join(path, 'cdk.out/manifest.json'), new Date('2100-01-01'), new Date('2100-01-01'));
  return path;
}

/** Runs a program in a folder, and returns whether it ended well. */
async function passes(cwd: string, words: readonly string[]): Promise<boolean> {
  const options = { cwd, detached: true, stdio: 'ignore' } as const;
  const child = spawn(process.execPath, words, options);
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), maxMs);
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  return code === 0;
}

type Edit = { make(): void; undo(): void };

/** Returns what notices changes in a copy of the project. */
function noticing(copy: string) {
  /** Returns the test file that fails with the change, and passes without it. */
  const failingTest = async (tests: readonly string[], edit: Edit): Promise<string | undefined> => {
    rmSync(join(copy, report), { force: true });
    if (tests.length === 0 || (await passes(copy, [...vitest, ...tests]))) return undefined;
    type Report = {
      testResults: { name: string; message: string; assertionResults: { status: string }[] }[];
    };
    const { testResults }: Report = existsSync(join(copy, report))
      ? JSON.parse(readFileSync(join(copy, report), 'utf8'))
      : { testResults: [] };
    // Files that the first failure has ended fail too, without a test and without a message.
    const isFailed = ({ message, assertionResults }: Report['testResults'][number]) =>
      message !== '' || assertionResults.some(({ status }) => status === 'failed');
    const failed = testResults.find(isFailed)?.name.slice(copy.length + 1);
    if (failed === undefined) return 'tests that did not end';
    // A test that passes by itself has failed because the machine was busy, and one may fail without a change, too.
    const failsAlone = !(await passes(copy, [...vitest, failed]));
    edit.undo();
    const isSound = await passes(copy, [...vitest, failed]);
    edit.make();
    const others = tests.filter((test) => test !== failed);
    return failsAlone && isSound ? failed : failingTest(others, edit);
  };
  return async ({ file, start, end, becomes }: Change): Promise<string | undefined> => {
    const path = join(copy, file);
    const code = readFileSync(path, 'utf8');
    const changed = code.slice(0, start) + becomes + code.slice(end);
    const edit = { make: () => writeFileSync(path, changed), undo: () => writeFileSync(path, code) };
    edit.make();
    try {
      if (!(await passes(copy, types))) return 'types';
      if (!(await passes(copy, [...linter, file]))) return 'the linter';
      const tests = testsNear(file).slice(0, near);
      return (
        (await failingTest(tests.slice(0, nearest), edit)) ??
        (await failingTest(tests.slice(nearest), edit)) ??
        ((await passes(copy, simulation)) ? undefined : 'the simulation')
      );
    } finally {
      edit.undo();
    }
  };
}

function inWords({ file, start, end, becomes }: Change): string {
  const { code = '' } = sources.find((source) => source.file === file) ?? {};
  const from = code.lastIndexOf('\n', start) + 1;
  const to = code.indexOf('\n', end);
  const shown = (line: string) => line.trim().replaceAll(/\s*\n\s*/g, ' ');
  const line = code.slice(0, start).split('\n').length;
  const changed = code.slice(from, start) + becomes + code.slice(end, to);
  return `${file}:${line}\n   - ${shown(code.slice(from, to))}\n   + ${shown(changed)}`;
}

const program = new Command('npm run mutants --')
  .description(
    'Makes random changes to functions and shared, one at a time and in a copy, as a careless commit might, and says which neither the nearest tests nor the simulation notices. Changes that do not compile do not count.',
  )
  .argument('[paths...]', 'Change files whose path begins so', ['functions/', 'shared/'])
  .option('--count <number>', 'How many changes', wholeNumber(1, 100_000), 20)
  .option('--seed <number>', 'Other changes for another seed', wholeNumber(0, 2 ** 31), 1)
  .action(async (paths, { count, seed }) => {
    keepDataInMemory();
    const code = sources.filter(({ file }) => /^(functions|shared)\//.test(file));
    const within = code.filter(({ file }) => paths.some((path) => file.startsWith(path)));
    const random = seededRandom('mutants', seed);
    const order = within
      .flatMap(({ file, code }) => changesOf(file, code))
      .map((change) => ({ change, at: random() }));
    if (order.length === 0)
      throw usageError(`No code of functions or shared begins with ${paths.join(', ')}.`);
    const copy = await copyProject();
    const noticedBy = noticing(copy);
    if (!(await passes(copy, simulation))) throw failure('The simulation does not balance without a change.');
    const survivors: Change[] = [];
    let made = 0;
    for (const { change } of order.sort((a, b) => a.at - b.at)) {
      if (made === count) break;
      const by = await noticedBy(change);
      if (by === 'types') continue;
      made += 1;
      if (by === undefined) survivors.push(change);
      console.log(`${made} ${by === undefined ? 'SURVIVED' : `noticed by ${by}`}: ${inWords(change)}`);
    }
    console.log(`${made - survivors.length} of ${made} changes were noticed.`);
  });

process.exitCode = await runProgram(program);
