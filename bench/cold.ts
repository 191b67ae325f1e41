import { readFileSync } from 'node:fs';
import { type FunctionModel, functionNamed } from '../local/template/service-model.ts';
import { bundleBare } from './bare/bundle-bare.ts';
import type { Figure } from './figure.ts';
import { compared, measure } from './measure.ts';
import { type Run, startFunction } from './processes/child.ts';
import { type EngineRig, type Section, withEngines } from './rig.ts';

const rounds = 3;

/** A function has more code than a bare handler in a plain bundle, and must load in less time all the same. */
const loadBudget = { of: 'ratio', atMost: 0.85 } as const;

/** A function, or a bare handler from `folder` that is invoked as the function would be. */
type Subject = {
  name: string;
  fn: FunctionModel;
  folder?: string;
};

/** Matches the response of a function that failed inside: the time would be that of an error. */
const failed = /"statusCode":5|"isAuthorized":false|"itemIdentifier"/;

/** Loads and invokes once, in a fresh Node process. The start of Node itself is not counted. */
async function coldStart(rig: EngineRig, { name, fn, ...bare }: Subject) {
  const started = await startFunction(rig, fn, bare);
  const first = await started.ask<Run>([JSON.parse(readFileSync(`events/${fn.logicalId}.json`, 'utf8'))]);
  await started.stop();
  const response = JSON.stringify(first.responses);
  if (failed.test(response)) throw new Error(`${name} responded ${response}`);
  return { load: started.ready, first };
}

async function measureTimes(rig: EngineRig, subject: Subject, bare: Subject): Promise<Figure[]> {
  rig.say(subject.name);
  return measure(
    rounds,
    () => coldStart(rig, subject),
    () => coldStart(rig, bare),
    (found) => {
      // CPU time does not count how long other programs kept the process waiting.
      const figure = (what: string, step: 'load' | 'first'): Figure => ({
        what: `${subject.name}, ${what}, CPU`,
        unit: 'ms',
        ...compared(bare.name, found, (start) => start[step].cpuUs / 1_000),
      });
      return [{ ...figure('module load', 'load'), budget: loadBudget }, figure('first invocation', 'first')];
    },
  );
}

async function run(rig: EngineRig): Promise<Figure[]> {
  const { model } = rig;
  const folder = await bundleBare('document-client', rig.folder, 'plain');
  const bare = { name: 'document client', fn: functionNamed('GetSync', model), folder };
  const authorizer = functionNamed('AuthorizePartner', model);
  const others = model.functions.filter((fn) => fn !== authorizer);
  const figures: Figure[] = [];
  // The authorizer comes first: the samples of keys end the secret that its sample has.
  for (const fn of [authorizer, ...others]) {
    figures.push(...(await measureTimes(rig, { name: fn.logicalId, fn }, bare)));
  }
  return figures;
}

export const coldSection: Section = {
  name: 'cold',
  about: 'module load and first invocation of every function, in fresh processes',
  run: async (rig) => run(await withEngines(rig)),
};
