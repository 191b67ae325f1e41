import { failure } from '../../build/command-line.ts';
import { plantedFaults } from './planted-faults.ts';
import { runSeeds } from './pool.ts';
import type { Reply } from './worker.ts';

const runsAtMost = 200;
const hours = 2;

/** Plants one fault after another, and runs seeds until one does not balance. */
export async function findPlanted(seed: number, json: boolean): Promise<void> {
  const missed: string[] = [];
  for (const { name } of plantedFaults) {
    let runs = 0;
    let by: string | undefined;
    const seeds = Array.from({ length: runsAtMost }, (_, n) => seed + n);
    const judge = ({ result }: Reply): boolean => {
      runs += 1;
      by ??= result.ledger.entries.find(({ wrong }) => wrong.length > 0)?.what;
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
  if (missed.length > 0)
    throw failure(`${missed.length} of ${plantedFaults.length} planted faults were not found.`);
  if (!json) console.log(`All ${plantedFaults.length} planted faults were found.`);
}
