import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundleBudgetBytes } from '../build/bundle-settings.ts';
import { functionEnvironment } from '../local/functions/function-environment.ts';
import type { FunctionModel } from '../local/template/service-model.ts';
import { bundleBare } from './bare/bundle-bare.ts';
import type { Figure } from './figure.ts';
import { compared, measure } from './measure.ts';
import { holdFunction, type Run, type Took } from './processes/child.ts';
import { enginesFor, functionOf, type Rig, type Section } from './rig.ts';

const rounds = 3;

/** An endpoint has more code than a bare handler in a plain bundle, and must load faster all the same. */
const loadBudget = { of: 'ratio', atMost: 0.85 } as const;

/** A folder with an `index.mjs`, and what it is invoked with. */
interface Loadable {
  readonly name: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly eventFile: string;
  readonly hasBudget?: boolean;
}

type ColdStart = Awaited<ReturnType<typeof coldStart>>;

/** Matches the response of a function that failed inside: the time would be that of an error. */
const failed = /"statusCode":5|"isAuthorized":false|"itemIdentifier"/;

/** Loads and invokes once, in a fresh Node process. The start of Node itself is not counted. */
async function coldStart(rig: Rig, { name, folder, environment, eventFile }: Loadable) {
  const fn = await holdFunction(rig, folder, environment);
  const first = await fn.ask<Run>([JSON.parse(readFileSync(eventFile, 'utf8'))]);
  await fn.stop();
  const response = JSON.stringify(first.responses);
  if (failed.test(response)) throw new Error(`${name} responded ${response}`);
  return { load: fn.ready, first };
}

async function timesOf(rig: Rig, subject: Loadable, bare: Loadable): Promise<Figure[]> {
  rig.say(subject.name);
  return measure(
    rounds,
    () => coldStart(rig, subject),
    () => coldStart(rig, bare),
    (found) => {
      // CPU time does not count how long other programs kept the process waiting.
      const figure = (what: string, tookOf: (start: ColdStart) => Took): Figure => ({
        what: `${subject.name}, ${what}, CPU`,
        unit: 'ms',
        ...compared(bare.name, found, (start) => tookOf(start).cpuUs / 1_000),
      });
      const load = figure('module load', (start) => start.load);
      return [
        { ...load, ...(subject.hasBudget ? { budget: loadBudget } : {}) },
        figure('first invocation', ({ first }) => first),
      ];
    },
  );
}

/** The sizes of a bundle without its source map, which is read only when an error is logged. */
function sizesOf({ logicalId, codeFolder }: FunctionModel): Figure[] {
  const bundle = readFileSync(join(codeFolder, 'index.mjs'));
  const budget = { of: 'median', atMost: bundleBudgetBytes / 1_000 } as const;
  return [
    { what: `${logicalId}, bundle`, unit: 'kB', median: bundle.length / 1_000, budget },
    { what: `${logicalId}, bundle, gzip`, unit: 'kB', median: gzipSync(bundle).length / 1_000 },
  ];
}

async function run(rig: Rig): Promise<Figure[]> {
  const { model, folder } = rig;
  const { engines } = await enginesFor(rig);
  const endpoints = new Set(model.api?.routes.map(({ functionName }) => functionName));
  const loadable = (fn: FunctionModel): Loadable => ({
    name: fn.logicalId,
    folder: fn.codeFolder,
    environment: functionEnvironment(fn, engines),
    eventFile: `events/${fn.logicalId}.json`,
    hasBudget: endpoints.has(fn.name),
  });
  const bareFolder = await bundleBare('document-client', folder, 'plain');
  const bare = { ...loadable(functionOf(rig, 'GetSync')), name: 'document client', folder: bareFolder };
  const authorizer = functionOf(rig, 'AuthorizePartner');
  const others = model.functions.filter((fn) => fn !== authorizer);
  // The authorizer comes first: the samples of keys end the secret that its sample has.
  const subjects = [authorizer, ...others].map(loadable);
  const figures = model.functions.flatMap(sizesOf);
  for (const subject of subjects) figures.push(...(await timesOf(rig, subject, bare)));
  return figures;
}

export const coldSection: Section = {
  name: 'cold',
  about: 'bundle sizes, module load and first invocation of every function, in fresh processes',
  run,
};
