import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { buildAssembly, isStale } from '../../build/assembly.ts';
import { failure, runProgram, usageError, wholeNumber } from '../../build/command-line.ts';
import { keepDataInMemory } from '../support/memory.ts';
import type { Plan } from './plan.ts';
import { findPlanted } from './planted.ts';
import { runSeeds, startWorker } from './pool.ts';
import { summary, wrongs } from './report.ts';
import type { Result } from './run.ts';

const assembly = 'cdk.out';
const folder = '.local/simulation';
const shrinkRuns = 150;
const maxSeed = 2 ** 31 - 1;

function readPlan(file: string): Plan {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new InvalidArgumentError('names no file that a failed simulation wrote.');
  }
}

const program = new Command('npm run simulate --')
  .description(
    'Runs the whole service in one process on virtual time: partners, card holders and the wallet platform use it while everything goes wrong that can, and afterwards everything must balance. The same seed makes the same run.',
  )
  .option('--seed <number>', 'The first seed (default: a random one)', wholeNumber(0, maxSeed))
  .option('--runs <number>', 'How many seeds, one after another', wholeNumber(1, 1_000_000), 1)
  .option(
    '--hours <number>',
    'How many hours things go wrong; 80 covers all retries',
    wholeNumber(1, 1_000),
    2,
  )
  .addOption(
    new Option('--replay <file>', 'Runs the schedule in this file again, and prints its timeline')
      .argParser(readPlan)
      .conflicts(['seed', 'runs', 'faults']),
  )
  .addOption(
    new Option(
      '--faults [text]',
      'Plants known faults in the service, or those with the text in file or name, and says which are found',
    ).conflicts('hours'),
  )
  .option('--json', 'Prints one line {seed, hash, balanced} for each run, and nothing else');

function progress(line: string): void {
  console.error(line);
}

/** Leaves out what does not matter, and writes down what is left. */
async function explain(seed: number, hours: number): Promise<void> {
  progress(`Looking for the shortest schedule of seed ${seed} that fails (${shrinkRuns} runs) ...`);
  const worker = await startWorker();
  const { plan, result } = await worker.ask({ seed, hours, shrinkRuns });
  await worker.stop();
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/${seed}.json`, JSON.stringify(plan));
  const timeline = [...result.timeline, '', 'What does not balance:', ...wrongs(result)];
  writeFileSync(`${folder}/${seed}.txt`, `${timeline.join('\n')}\n`);
  progress(`Its timeline: ${folder}/${seed}.txt. Again: npm run simulate -- --replay ${folder}/${seed}.json`);
}

async function replay(plan: Plan): Promise<void> {
  const worker = await startWorker();
  const { result } = await worker.ask({ plan });
  await worker.stop();
  console.log([...result.timeline, '', summary([result], 1), ...wrongs(result)].join('\n'));
  if (!result.balanced) throw failure('The schedule does not balance.');
}

program.action(async ({ seed = randomInt(maxSeed - 1_000_000), runs, hours, replay: plan, faults, json }) => {
  keepDataInMemory();
  if (isStale(assembly)) await buildAssembly();
  if (plan) return replay(plan);
  if (seed + runs > maxSeed) throw usageError(`--seed and --runs go beyond seed ${maxSeed}.`);
  if (faults) return findPlanted(seed, { json, only: faults === true ? '' : faults });
  const startedAt = performance.now();
  const results: Result[] = [];
  const seeds = Array.from({ length: runs }, (_, n) => seed + n);
  await runSeeds(seeds, hours, ({ result }) => {
    results.push(result);
    const { hash, balanced } = result;
    if (json) console.log(JSON.stringify({ seed: result.seed, hash, balanced }));
    else if (!balanced) progress([`Seed ${result.seed} does not balance:`, ...wrongs(result)].join('\n'));
    if (!json && results.length % 25 === 0) progress(`${results.length} of ${runs} runs`);
    return false;
  });
  const bad = results.filter(({ balanced }) => !balanced).map((result) => result.seed);
  if (!json) {
    console.log(summary(results, (performance.now() - startedAt) / 1_000));
    const [only] = results;
    if (runs === 1 && only) console.log(`Seed ${seed}, hash ${only.hash}.`);
  }
  const [first] = bad;
  if (first === undefined) return;
  if (!json) await explain(first, hours);
  throw failure(`${bad.length} of ${runs} runs do not balance, seed ${first} first.`);
});

process.exitCode = await runProgram(program);
