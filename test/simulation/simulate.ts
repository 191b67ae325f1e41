import { randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Command, Option } from '@commander-js/extra-typings';
import { buildAssembly, isStale } from '../../build/assembly.ts';
import { failure, runProgram, usageError } from '../../ops/cli/command-line.ts';
import { wholeNumber } from '../../ops/cli/option-values.ts';
import { keepDataInMemory } from '../support/memory.ts';
import { type Forecast, loadNames, missed } from './forecast/loads.ts';
import { plantedFaults } from './planted-faults.ts';
import { runLoads, runSeeds, startWorker } from './pool.ts';
import { forecastTable, neverJudged, neverLogged, summary, wrongs } from './report.ts';
import type { Result } from './run.ts';
import { bothSources } from './seams/change-line.ts';
import type { Reply } from './worker.ts';

const folder = '.local/simulation';
const shrinkRuns = 150;
/** In so many runs everything that is not seldom happens: it is logged, and there is something to judge. */
const fewestForAll = 16;
const maxRuns = 1_000_000;
const maxSeed = 2 ** 31 - maxRuns;

const program = new Command('npm run simulate --')
  .description(
    'Runs the whole service in one process on virtual time: partners, card holders and the wallet platform use it while everything goes wrong that can, and afterwards everything must balance. The same seed makes the same run.',
  )
  .option('--seed <number>', 'The first seed (default: a random one)', wholeNumber(0, maxSeed))
  .option('--runs <number>', 'How many seeds, one after another', wholeNumber(1, maxRuns), 1)
  .option(
    '--hours <number>',
    'How long things go wrong; 100 covers all ten attempts',
    wholeNumber(1, 1_000),
    2,
  )
  .addOption(
    new Option(
      '--faults [text]',
      'Plants known faults in the service, or those with the text in file or name, and says which are found',
    ).conflicts(['hours']),
  )
  .addOption(
    new Option(
      '--forecast [text]',
      'Runs named loads, or those with the text in their name, under the limits of AWS, without faults, and says how long each takes',
    ).conflicts(['seed', 'runs', 'hours', 'faults']),
  );

/** Prints the forecast in the order of `loadNames`. Progress goes to standard error. */
async function printForecast(text: string): Promise<void> {
  const names = loadNames.filter((name) => name.includes(text));
  if (names.length === 0) throw usageError(`No load has "${text}" in its name: ${loadNames.join(', ')}.`);
  const loads: Forecast[] = [];
  await runLoads(
    names.map((load) => ({ load })),
    (forecast) => {
      loads.push(forecast);
      console.error(`${forecast.name} done, ${loads.length} of ${names.length}`);
    },
  );
  loads.sort((a, b) => loadNames.indexOf(a.name) - loadNames.indexOf(b.name));
  console.log(forecastTable(loads));
  const misses = loads.flatMap(missed);
  if (misses.length > 0) throw failure(`Not every load meets its target.\n${misses.join('\n')}`);
}

/** Shrinks the schedule of a failed seed, and writes the timeline of the rest to a file. */
async function explain(seed: number, hours: number): Promise<void> {
  console.error(`Looking for the shortest schedule of seed ${seed} that fails (${shrinkRuns} runs) ...`);
  const worker = await startWorker(undefined, hours);
  const { result } = await worker.ask({ seed, shrinkRuns });
  await worker.stop();
  mkdirSync(folder, { recursive: true });
  const file = `${folder}/${seed}.txt`;
  const timeline = [...result.timeline, '', 'What does not balance:', ...wrongs(result)];
  writeFileSync(file, `${timeline.join('\n')}\n`);
  console.error(`Its timeline: ${file}. After a fix: npm run simulate -- --seed ${seed} --hours ${hours}`);
}

/** Plants each fault with the text in its file or name, and runs up to 200 seeds until one does not balance. */
async function findPlanted(seed: number, text: string): Promise<void> {
  const missed: string[] = [];
  const faults = plantedFaults.filter(({ file, name }) => `${file} ${name}`.includes(text));
  if (faults.length === 0) throw usageError(`No planted fault has "${text}" in its file or name.`);
  for (const fault of faults) bothSources(fault);
  for (const { name, hours } of faults) {
    let runs = 0;
    let by: string | undefined;
    const seeds = Array.from({ length: 200 }, (_, n) => seed + n);
    const judge = ({ result }: Reply): boolean => {
      runs += 1;
      const found = result.ledger.find(({ wrong }) => wrong.length > 0)?.what;
      by ??= found && `seed ${result.seed}: ${found}`;
      return by !== undefined;
    };
    // A fault may also break the simulation itself, which counts as found.
    await runSeeds(seeds, hours, judge, name).catch((error: Error) => {
      by ??= error.message;
    });
    if (by === undefined) missed.push(name);
    console.log(`${name}: ${by === undefined ? `NOT FOUND in ${runs} runs` : `after ${runs} runs, ${by}`}`);
  }
  if (missed.length > 0) throw failure(`${missed.length} of ${faults.length} planted faults were not found.`);
  console.log(`All ${faults.length} planted faults were found.`);
}

program.action(async (options) => {
  const { seed = randomInt(maxSeed), runs, hours, faults, forecast } = options;
  keepDataInMemory();
  if (isStale('cdk.out')) await buildAssembly();
  if (forecast) return printForecast(forecast === true ? '' : forecast);
  if (faults) return findPlanted(seed, faults === true ? '' : faults);
  const startedAt = performance.now();
  const results: Result[] = [];
  const seeds = Array.from({ length: runs }, (_, n) => seed + n);
  await runSeeds(seeds, hours, ({ result }) => {
    results.push(result);
    if (!result.balanced)
      console.error([`Seed ${result.seed} does not balance:`, ...wrongs(result)].join('\n'));
    if (results.length % 25 === 0) console.error(`${results.length} of ${runs} runs`);
  });
  console.log(summary(results, (performance.now() - startedAt) / 1_000));
  const bad = results.filter(({ balanced }) => !balanced);
  const [first] = bad;
  if (!first) {
    if (results.length < fewestForAll) return;
    const [unlogged, unjudged] = [neverLogged(results), neverJudged(results)];
    if (unlogged.length > 0) throw failure(`No run has logged ${unlogged.join(', ')}.`);
    if (unjudged.length > 0) throw failure(`No run had anything to judge for "${unjudged.join('", "')}".`);
    return;
  }
  await explain(first.seed, hours);
  throw failure(`${bad.length} of ${runs} runs do not balance, seed ${first.seed} first.`);
});

process.exitCode = await runProgram(program);
