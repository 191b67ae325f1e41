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
import type { Reply, Request } from './worker.ts';

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

async function askOnce(request: Request): Promise<Reply> {
  const worker = await startWorker();
  const reply = await worker.ask(request);
  await worker.stop();
  return reply;
}

/** Leaves out what does not matter, and writes down what is left. */
async function explain(seed: number, hours: number): Promise<void> {
  console.error(`Looking for the shortest schedule of seed ${seed} that fails (${shrinkRuns} runs) ...`);
  const { plan, result } = await askOnce({ seed, hours, shrinkRuns });
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/${seed}.json`, JSON.stringify(plan));
  const timeline = [...result.timeline, '', 'What does not balance:', ...wrongs(result)];
  writeFileSync(`${folder}/${seed}.txt`, `${timeline.join('\n')}\n`);
  console.error(
    `Its timeline: ${folder}/${seed}.txt. Again: npm run simulate -- --replay ${folder}/${seed}.json`,
  );
}

async function replay(plan: Plan): Promise<void> {
  const { result } = await askOnce({ plan });
  console.log([...result.timeline, '', summary([result], 1), ...wrongs(result)].join('\n'));
  if (!result.balanced) throw failure('The schedule does not balance.');
}

program.action(async ({ seed = randomInt(maxSeed - 1_000_000), runs, hours, replay: plan, faults, json }) => {
  keepDataInMemory();
  if (isStale(assembly)) await buildAssembly();
  if (plan) return replay(plan);
  if (seed + runs > maxSeed) throw usageError(`--seed and --runs go beyond seed ${maxSeed}.`);
  if (faults) return findPlanted(seed, faults === true ? '' : faults, json);
  const startedAt = performance.now();
  const results: Result[] = [];
  const seeds = Array.from({ length: runs }, (_, n) => seed + n);
  await runSeeds(seeds, hours, ({ result }) => {
    results.push(result);
    const { hash, balanced } = result;
    if (json) return void console.log(JSON.stringify({ seed: result.seed, hash, balanced }));
    if (!balanced) console.error([`Seed ${result.seed} does not balance:`, ...wrongs(result)].join('\n'));
    if (results.length % 25 === 0) console.error(`${results.length} of ${runs} runs`);
  });
  if (!json) console.log(summary(results, (performance.now() - startedAt) / 1_000));
  const bad = results.filter(({ balanced }) => !balanced);
  const [first] = bad;
  if (!first) return;
  if (!json) await explain(first.seed, hours);
  throw failure(`${bad.length} of ${runs} runs do not balance, seed ${first.seed} first.`);
});

process.exitCode = await runProgram(program);
