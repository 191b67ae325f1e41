import { type FunctionModel, functionNamed } from '../local/template/service-model.ts';
import { bundleBare } from './bare/bundle-bare.ts';
import type { Figure } from './figure.ts';
import { compared, measure } from './measure.ts';
import { startFunction } from './processes/start-function.ts';
import { type EngineRig, type Section, withEngines } from './rig.ts';

const rounds = 3;

/** A function has more code than a bare handler in a plain bundle, and must load in less time all the same. */
const loadBudget = { of: 'ratio', atMost: 0.85 } as const;

/** A function, or a bare handler from `folder` with that function's environment. */
type Subject = {
  name: string;
  fn: FunctionModel;
  folder?: string;
};

/** Loads once, in a fresh Node process. The start of Node itself is not counted. */
async function load(rig: EngineRig, { fn, ...bare }: Subject) {
  const { loading, stop } = await startFunction(rig, fn, bare);
  await stop();
  return loading;
}

async function measureLoad(rig: EngineRig, subject: Subject, bare: Subject): Promise<Figure[]> {
  rig.say(subject.name);
  return measure(
    rounds,
    () => load(rig, subject),
    () => load(rig, bare),
    (found) => [
      {
        what: `${subject.name}, module load, CPU`,
        unit: 'ms',
        // CPU time does not count how long other programs kept the process waiting.
        ...compared(bare.name, found, ({ cpuUs }) => cpuUs / 1_000),
        budget: loadBudget,
      },
    ],
  );
}

async function run(rig: EngineRig): Promise<Figure[]> {
  const { model } = rig;
  const folder = await bundleBare('document-client', rig.folder, 'plain');
  const bare = { name: 'document client', fn: functionNamed('GetSync', model), folder };
  const figures: Figure[] = [];
  for (const fn of model.functions) {
    figures.push(...(await measureLoad(rig, { name: fn.logicalId, fn }, bare)));
  }
  return figures;
}

export const coldSection: Section = {
  name: 'cold',
  about: 'module load of every function, in fresh processes',
  run: async (rig) => run(await withEngines(rig)),
};
