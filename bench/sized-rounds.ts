import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoints } from '../local/endpoints.ts';
import { writeAll } from '../shared/platform/table/batches.ts';
import type { Figure } from './figure.ts';
import { median } from './measure.ts';
import { startChild } from './processes/child.ts';
import { type Rig, tableAt } from './rig.ts';

/** A flow that is timed at several sizes. */
export type Timed = {
  /** The things that a size counts: `places`. */
  elements: string;
  rounds: Readonly<Record<number, number>>;
  /** Returns the seconds of each figure, by its name. */
  run: (service: Endpoints, size: number) => Promise<Readonly<Record<string, number>>>;
  /** The budgets of figures in seconds, at 10,000 elements. */
  atMost: Readonly<Record<string, number>>;
  /** The row that a simple implementation would write for each element. */
  row: (n: number) => object;
};

/** The baseline: writes a row for every element, changed or not. Returns seconds. */
async function writePlainly(rig: Rig, at: Endpoints, rows: readonly object[]): Promise<number> {
  const table = tableAt(rig, at.dynamodb, at.tableName);
  const writes = rows.map((row, n) => ({ put: { pk: 'PLAIN#bench', sk: `${n}`, row: JSON.stringify(row) } }));
  const startedAt = performance.now();
  // writeAll sends four batches at once, so the two halves send eight.
  const half = Math.ceil(writes.length / 2);
  await Promise.all([writeAll(table, writes.slice(0, half)), writeAll(table, writes.slice(half))]);
  return (performance.now() - startedAt) / 1_000;
}

/** Times one round on a new service, because the local engine's stream gets slower as it grows. */
async function timeRound(rig: Rig, { run, row }: Timed, size: number) {
  const stateDir = mkdtempSync(join(rig.folder, 'state-'));
  const service = await startChild<Endpoints>(rig, 'service.ts', [rig.assemblyDir, stateDir]);
  const seconds = await run(service.ready, size);
  const rows = Array.from({ length: size }, (_, n) => row(n));
  const plain = await writePlainly(rig, service.ready, rows);
  await service.stop();
  return { seconds, plain };
}

export async function measureSizes(rig: Rig, timed: Timed): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [key, count] of Object.entries(timed.rounds)) {
    const size = Number(key);
    const named = `${size.toLocaleString('en')} ${timed.elements}`;
    const rounds: Awaited<ReturnType<typeof timeRound>>[] = [];
    for (let n = 0; n < count; n++) {
      rig.say(`${named}, round ${n + 1} of ${count}`);
      rounds.push(await timeRound(rig, timed, size));
    }
    const baseline = {
      what: `${size.toLocaleString('en')} plain writes`,
      median: median(rounds.map(({ plain }) => plain)),
    };
    for (const what of Object.keys(rounds[0]?.seconds ?? {})) {
      const atMost = size === 10_000 ? timed.atMost[what] : undefined;
      figures.push({
        what: `${named}, ${what}`,
        unit: 's',
        median: median(rounds.map(({ seconds }) => seconds[what] ?? Number.NaN)),
        baseline,
        series: { of: `${timed.elements}, ${what}`, size },
        ...(atMost === undefined ? {} : { budget: { of: 'median', atMost } as const }),
      });
    }
  }
  return figures;
}
