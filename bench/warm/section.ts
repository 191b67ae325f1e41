import { functionNamed } from '../../local/template/service-model.ts';
import { bundleBare } from '../bare/bundle-bare.ts';
import type { Figure } from '../figure.ts';
import { compared, measure, type Rounds } from '../measure.ts';
import { type Run, startFunction } from '../processes/start-function.ts';
import { type EngineRig, type Section, withEngines } from '../rig.ts';
import { startRecorder, type Wave } from './recorder.ts';
import { assertRight, batchSize, functionIdOf, makeEvents, type Scene } from './scene.ts';
import { scenes } from './scenes.ts';
import { differences, readState, restore } from './table-state.ts';

const cpuBudget = { of: 'ratio', atMost: 1.35 } as const;

/** Runs the batch once through a recorder. Returns the calls of each request, and the rows that are left in the table. */
async function record(rig: EngineRig, scene: Scene, events: object[]) {
  const { engines, table } = rig;
  const recorder = await startRecorder(engines);
  const recorded = { ...rig, engines: recorder.endpoints };
  const real = await startFunction(recorded, functionNamed(functionIdOf(scene), rig.model));
  const waves: Wave[][] = [];
  for (const [n, event] of events.entries()) {
    assertRight(scene, (await real.run([event])).responses, n);
    // The bare handler calls queues at their URLs, which must not lead to the recorder.
    const calls = JSON.stringify(recorder.taken()).replaceAll(recorder.endpoints.sqs, engines.sqs);
    waves.push(JSON.parse(calls) as Wave[]);
  }
  await real.stop();
  await recorder.stop();
  return { waves, left: await readState(table) };
}

/** Prepares the function and the bare handler that makes the same calls, and checks that both leave the same rows. */
async function pairFor(rig: EngineRig, scene: Scene, bareFolder: string) {
  const { table } = rig;
  await scene.seed?.(table);
  const before = await readState(table);
  const events = makeEvents(scene);
  const { waves, left } = await record(rig, scene, events);
  const bareEvents = events.map((event, n) => ({ ...event, waves: waves[n] }));
  const fn = functionNamed(functionIdOf(scene), rig.model);
  const realFunction = await startFunction(rig, fn);
  const bareFunction = await startFunction(rig, fn, { folder: bareFolder });
  const bare = async () => {
    await restore(table, before);
    return bareFunction.run(bareEvents);
  };
  const real = async () => {
    await restore(table, before);
    const run = await realFunction.run(events);
    assertRight(scene, run.responses);
    return run;
  };
  await bare();
  const differing = differences(left, await readState(table));
  if (differing.length > 0) throw new Error(`${scene.what}: the bare handler left other rows: ${differing}`);
  return { real, bare };
}

function toFigure(scene: Scene, found: Rounds<Run>): Figure {
  return {
    what: `${scene.what}, warm CPU`,
    unit: 'us',
    ...compared('bare', found, ({ cpuUs }) => cpuUs / batchSize),
    ...(scene.size === undefined ? {} : { series: { of: functionIdOf(scene), size: scene.size } }),
    ...(scene.withoutBudget ? {} : { budget: cpuBudget }),
  };
}

async function measureScene(rig: EngineRig, scene: Scene, bareFolder: string): Promise<Figure[]> {
  const { real, bare } = await pairFor(rig, scene, bareFolder);
  // Run some batches first, so that V8 has optimized the code. Long lists are optimized sooner.
  for (let n = 0; n < (scene.withoutBudget ? 4 : 8); n++) {
    await real();
    await bare();
  }
  return measure(scene.withoutBudget ? 3 : 5, real, bare, (found) => [toFigure(scene, found)]);
}

async function run(rig: EngineRig): Promise<Figure[]> {
  const { table } = rig;
  const bareFolder = await bundleBare('same-calls', rig.folder, 'ours');
  const partnersOnly = await readState(table);
  const figures: Figure[] = [];
  for (const scene of scenes) {
    rig.say(scene.what);
    await restore(table, partnersOnly);
    await using cleanup = new AsyncDisposableStack();
    figures.push(...(await measureScene({ ...rig, cleanup }, scene, bareFolder)));
  }
  return figures;
}

export const warmSection: Section = {
  name: 'warm',
  about: 'CPU of the 17 endpoints of everyday use, against a bare handler that makes the same table calls',
  run: async (rig) => run(await withEngines(rig)),
};
