import { writeAll } from '../shared/platform/table/batches.ts';
import { connectLocalTable } from '../shared/platform/table/table.ts';
import type { Figure } from './figure.ts';
import { type Actors, startActors } from './flows/actors.ts';
import { bulkFlow, type Flow, syncFlows } from './flows/flows.ts';
import { placeAt } from './flows/place-list.ts';
import { firstPhone } from './flows/sending.ts';
import { median } from './measure.ts';
import type { Rig, Section } from './rig.ts';

const rounds = 3;

/** Budgets in seconds. */
const atMost: Readonly<Record<string, number>> = {
  '10,000 places, new, accepted': 1,
  '10,000 places, new, finished': 30,
  '10,000 recipients, with callbacks, called back': 15,
};

/** The baseline: writes a row for every element, changed or not. Returns seconds. */
async function writePlainly({ service }: Actors, rows: readonly object[]): Promise<number> {
  const table = connectLocalTable(service.tableName, service.dynamodb);
  const writes = rows.map((row, n) => ({ put: { pk: 'PLAIN#bench', sk: `${n}`, row: JSON.stringify(row) } }));
  const startedAt = performance.now();
  // writeAll sends four batches at once, so the two halves send eight.
  const half = Math.ceil(writes.length / 2);
  await Promise.all([writeAll(table, writes.slice(0, half)), writeAll(table, writes.slice(half))]);
  table.client.destroy();
  return (performance.now() - startedAt) / 1_000;
}

type Time = Required<Pick<Figure, 'what' | 'series'>> & { seconds: number };

/** Times one round on a new service, because the local engine's stream gets slower as it grows. */
async function timeRound({ assemblyDir }: Rig, flows: readonly Flow[], rows: readonly object[]) {
  await using cleanup = new AsyncDisposableStack();
  const { actors } = await startActors(cleanup, { assemblyDir });
  const times: Time[] = [];
  for (const { name, series, before, run } of flows) {
    await before?.(actors);
    for (const [effect, seconds] of Object.entries(await run(actors))) {
      const { of, size } = series;
      times.push({ what: `${name}, ${effect}`, series: { of: `${of}, ${effect}`, size }, seconds });
    }
  }
  return { times, plain: await writePlainly(actors, rows) };
}

/** Times flows of one size, against writing a row for each element, as a simple implementation would. */
async function measureSize(rig: Rig, size: number, flows: readonly Flow[], rowOf: (n: number) => object) {
  const rows = Array.from({ length: size }, (_, n) => rowOf(n));
  const found: Awaited<ReturnType<typeof timeRound>>[] = [];
  for (let n = 1; n <= rounds; n++) {
    rig.say(`${size.toLocaleString('en')}, round ${n} of ${rounds}`);
    found.push(await timeRound(rig, flows, rows));
  }
  const what = `${size.toLocaleString('en')} plain writes`;
  const baseline = { what, median: median(found.map(({ plain }) => plain)) };
  const times = found.flatMap((round) => round.times);
  return [...Map.groupBy(times, (time) => time.what)].map(([what, ofFigure]): Figure => {
    const most = atMost[what];
    return {
      what,
      unit: 's',
      median: median(ofFigure.map(({ seconds }) => seconds)),
      baseline,
      ...(ofFigure[0] && { series: ofFigure[0].series }),
      ...(most !== undefined && { budget: { of: 'median' as const, atMost: most } }),
    };
  });
}

/** Times the flows of each size, one after the other. */
function atSizes(
  sizes: readonly number[],
  flowsOf: (size: number) => readonly Flow[],
  rowOf: (n: number) => object,
): Section['run'] {
  return async (rig) => {
    const figures: Figure[] = [];
    for (const size of sizes) figures.push(...(await measureSize(rig, size, flowsOf(size), rowOf)));
    return figures;
  };
}

export const syncSection: Section = {
  name: 'sync',
  about: 'sessions of 10, 1,000 and 10,000 places: new, unchanged, 1 % changed; against writing every place',
  run: atSizes([10, 1_000, 10_000], syncFlows, placeAt),
};

export const pushSection: Section = {
  name: 'push',
  about: 'bulk sends of 100, 1,000 and 10,000 to the last callback; against writing a row for each recipient',
  run: atSizes(
    [100, 1_000, 10_000],
    (size) => [bulkFlow(size)],
    (n) => ({ msisdn: firstPhone + n, partnerId: 'bars', state: 'ENQUEUED', acceptedAt: 1_779_278_400_000 }),
  ),
};
