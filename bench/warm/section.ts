import { startEngineProxies } from '../../local/engines/engine-proxy.ts';
import { functionNamed } from '../../local/template/service-model.ts';
import { bundleBare } from '../bare/bundle-bare.ts';
import type { RecordedCall } from '../bare/same-calls.ts';
import type { Figure } from '../figure.ts';
import { compared, measure } from '../measure.ts';
import { startFunction } from '../processes/start-function.ts';
import { type EngineRig, type Section, withEngines } from '../rig.ts';
import { assertRight, batchSize, functionIdOf, makeEvents, type Scene } from './scene.ts';
import { scenes } from './scenes.ts';
import { differences, readState, restore } from './table-state.ts';

const cpuBudget = { of: 'ratio', atMost: 1.35 } as const;

/** Batches before measuring, so that V8 has optimized the code. */
const warmUps = 8;

type Recording = EngineRig & {
  bareFolder: string;
  /** Returns the calls since the last time, in the order in which they began. */
  takeCalls: () => RecordedCall[];
};

/** Puts proxies between functions and engines, which record each call. A function's processor time has no part in it. */
async function withRecorder(rig: EngineRig): Promise<Recording> {
  const calls: RecordedCall[] = [];
  const proxies = await startEngineProxies(rig.engines, ({ service, operation, body, forward }) => {
    calls.push({ service, operation, input: JSON.parse(body.toString()) });
    return forward(body);
  });
  rig.cleanup.defer(async () => void (await proxies.stop()));
  const engines = { ...rig.engines, ...proxies.endpoints };
  const bareFolder = await bundleBare('same-calls', rig.folder, 'ours');
  return { ...rig, engines, bareFolder, takeCalls: () => calls.splice(0) };
}

/** Prepares the function and the bare handler that makes the same calls, and checks that both leave the same rows. */
async function pairFor(rig: Recording, scene: Scene) {
  const { table, takeCalls, bareFolder } = rig;
  await scene.seed?.(table);
  const before = await readState(table);
  const events = makeEvents(scene);
  const fn = functionNamed(functionIdOf(scene), rig.model);
  const realFunction = await startFunction(rig, fn);
  const bareFunction = await startFunction(rig, fn, { folder: bareFolder });
  const bareEvents: object[] = [];
  for (const [n, event] of events.entries()) {
    takeCalls();
    assertRight(scene, (await realFunction.run([event])).responses, n);
    bareEvents.push({ ...event, calls: takeCalls() });
  }
  const left = await readState(table);
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

async function measureScene(rig: Recording, scene: Scene): Promise<Figure[]> {
  const { real, bare } = await pairFor(rig, scene);
  for (let n = 0; n < warmUps; n++) {
    await real();
    await bare();
  }
  return measure(5, real, bare, (found) => [
    {
      what: `${scene.what}, warm CPU`,
      unit: 'us',
      ...compared('bare', found, ({ cpuUs }) => cpuUs / batchSize),
      budget: cpuBudget,
    },
  ]);
}

async function run(engineRig: EngineRig): Promise<Figure[]> {
  const rig = await withRecorder(engineRig);
  const { table } = rig;
  const partnersOnly = await readState(table);
  const figures: Figure[] = [];
  for (const scene of scenes) {
    rig.say(scene.what);
    await restore(table, partnersOnly);
    await using cleanup = new AsyncDisposableStack();
    figures.push(...(await measureScene({ ...rig, cleanup }, scene)));
  }
  return figures;
}

export const warmSection: Section = {
  name: 'warm',
  about:
    'CPU of the authorizer and the 17 endpoints of everyday use, against a bare handler that makes the same table calls',
  run: async (rig) => run(await withEngines(rig)),
};
