import { functionEnvironment } from '../../local/functions/function-environment.ts';
import type { BorrowedEngines } from '../../local/invoke/borrow-engines.ts';
import type { FunctionModel } from '../../local/template/functions.ts';
import type { Table } from '../../shared/table/table.ts';
import { alternate, median, middle, quantile } from '../measure.ts';
import type { Figure } from '../section.ts';
import { type HeldFunction, holdFunction } from './held-function.ts';
import { startRecorder, type Wave } from './recorder.ts';
import { assertRight, batchSize, eventsOf, type Scene } from './scene.ts';
import { differences, restore, stateOf, type TableState } from './table-state.ts';
import type { Run } from './worker.ts';

/** Batches that V8 gets for optimizing before anything is measured. Long lists are optimized sooner. */
function warmUpsOf({ hasBudget }: Scene): number {
  return hasBudget ? 8 : 4;
}

function roundsOf({ hasBudget }: Scene): number {
  return hasBudget ? 15 : 7;
}

const cpuBudget = { of: 'ratio', atMost: 1.5 } as const;

export interface Stage {
  readonly table: Table;
  readonly engines: BorrowedEngines;
  readonly fn: FunctionModel;
  /** Where the bare handler is. */
  readonly bareFolder: string;
}

interface Recording {
  readonly wavesOf: readonly (readonly Wave[])[];
  readonly left: TableState;
}

/** Runs the batch once through a recorder: what it calls, for each request, and what it leaves in the table. */
async function record({ table, engines, fn }: Stage, scene: Scene, events: object[]): Promise<Recording> {
  const recorder = await startRecorder(engines);
  const real = await holdFunction(scene.what, fn.codeFolder, functionEnvironment(fn, recorder.endpoints, 1));
  try {
    const wavesOf: Wave[][] = [];
    for (const [n, event] of events.entries()) {
      const { responses } = await real.run([event]);
      assertRight({ ...scene, isRight: (response) => scene.isRight(response, n) }, responses);
      // The URL of a queue is the way to it.
      const waves = JSON.stringify(recorder.taken()).replaceAll(recorder.endpoints.sqs, engines.sqs);
      wavesOf.push(JSON.parse(waves) as Wave[]);
    }
    return { wavesOf, left: await stateOf(table) };
  } finally {
    await real.end();
    await recorder.stop();
  }
}

interface Pair {
  readonly real: () => Promise<Run>;
  readonly bare: () => Promise<Run>;
}

async function measure(scene: Scene, { real, bare }: Pair): Promise<Figure[]> {
  for (let n = 0; n < warmUpsOf(scene); n++) {
    await real();
    await bare();
  }
  const found = await alternate(roundsOf(scene), real, bare);
  const each = (runs: readonly Run[]) => runs.map(({ cpuUs }) => cpuUs / batchSize);
  const share = (of: 'cpusUs' | 'wallsMs', part: number): Pick<Figure, 'median' | 'baseline'> => ({
    median: quantile(
      found.subject.flatMap((run) => run[of]),
      part,
    ),
    baseline: {
      what: 'bare',
      median: quantile(
        found.baseline.flatMap((run) => run[of]),
        part,
      ),
    },
  });
  return [
    {
      what: `${scene.what}, warm CPU`,
      unit: 'us',
      ...middle(each(found.subject)),
      baseline: { what: 'bare', median: median(each(found.baseline)) },
      ...(scene.size === undefined ? {} : { series: { of: scene.functionId, size: scene.size } }),
      ...(scene.hasBudget ? { budget: cpuBudget } : {}),
    },
    { what: `${scene.what}, warm CPU, p90`, unit: 'us', ...share('cpusUs', 0.9) },
    { what: `${scene.what}, warm CPU, p99`, unit: 'us', ...share('cpusUs', 0.99) },
    { what: `${scene.what}, wall time, p50`, unit: 'ms', ...share('wallsMs', 0.5) },
    { what: `${scene.what}, wall time, p90`, unit: 'ms', ...share('wallsMs', 0.9) },
    { what: `${scene.what}, wall time, p99`, unit: 'ms', ...share('wallsMs', 0.99) },
  ];
}

/** Times the function against a handler that makes the same calls, after each was seen to do what it should. */
export async function measureScene(stage: Stage, scene: Scene): Promise<Figure[]> {
  const { table, engines, fn, bareFolder } = stage;
  await scene.seed?.(table);
  const before = await stateOf(table);
  const events = eventsOf(scene);
  const { wavesOf, left } = await record(stage, scene, events);
  const bareEvents = events.map((event, n) => ({ ...event, waves: wavesOf[n] }));
  const environment = functionEnvironment(fn, engines, 1);
  const held: HeldFunction[] = [];
  const hold = async (what: string, folder: string): Promise<HeldFunction> => {
    const one = await holdFunction(what, folder, environment);
    held.push(one);
    return one;
  };
  try {
    const real = await hold(scene.what, fn.codeFolder);
    const bare = await hold(`the bare ${scene.what}`, bareFolder);
    await restore(table, before);
    await bare.run(bareEvents);
    const differing = differences(left, await stateOf(table));
    if (differing.length > 0)
      throw new Error(`${scene.what}: the bare handler left other rows: ${differing}`);
    return await measure(scene, {
      real: async () => {
        await restore(table, before);
        const run = await real.run(events);
        assertRight(scene, run.responses);
        return run;
      },
      bare: async () => {
        await restore(table, before);
        return bare.run(bareEvents);
      },
    });
  } finally {
    for (const one of held) await one.end();
  }
}
