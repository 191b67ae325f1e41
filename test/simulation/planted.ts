import { failure, usageError } from '../../build/command-line.ts';
import { plantedFaults } from './planted-faults.ts';
import { runSeeds } from './pool.ts';
import type { Reply } from './worker.ts';

const runsAtMost = 200;
const hours = 2;

/** Plants one fault with the text in file or name after another, and runs seeds until one does not balance. */
export async function findPlanted(seed: number, text: string, json = false): Promise<void> {
  const missed: string[] = [];
  const faults = plantedFaults.filter(({ file, name }) => `${file} ${name}`.includes(text));
  if (faults.length === 0) throw usageError(`No planted fault has "${text}" in its file or name.`);
  for (const { name } of faults) {
    let runs = 0;
    let by: string | undefined;
    const seeds = Array.from({ length: runsAtMost }, (_, n) => seed + n);
    const judge = ({ result }: Reply): boolean => {
      runs += 1;
      by ??= result.ledger.find(({ wrong = [] }) => wrong.length > 0)?.what;
      return by !== undefined;
    };
    // A fault may break the simulation itself.
    await runSeeds(seeds, hours, judge, name).catch((error: Error) => {
      by ??= error.message;
    });
    if (by === undefined) missed.push(name);
    const line = by === undefined ? `NOT FOUND in ${runs} runs` : `after ${runs} runs: ${by}`;
    console.log(json ? JSON.stringify({ name, runs, by }) : `${name}: ${line}`);
  }
  if (missed.length > 0) throw failure(`${missed.length} of ${faults.length} planted faults were not found.`);
  if (!json) console.log(`All ${faults.length} planted faults were found.`);
}
