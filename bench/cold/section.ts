import { functionEnvironment } from '../../local/functions/function-environment.ts';
import { borrowEngines } from '../../local/invoke/borrow-engines.ts';
import type { FunctionModel } from '../../local/template/functions.ts';
import { bundleBare, type Way } from '../bare/bundle-bare.ts';
import { type BuiltService, onBuiltService } from '../built-service.ts';
import { alternate, median, middle } from '../measure.ts';
import type { Figure, Section } from '../section.ts';
import { type ColdStart, coldStart, type Loadable } from './cold-start.ts';
import { contentFigures, sizeFigures } from './sizes.ts';

const rounds = 7;
/** With all it has, a function loads no slower than a bare handler that was bundled as anybody would. */
const loadBudget = { of: 'ratio', atMost: 1 } as const;

/** A function that fails inside says so by 5xx, lets nobody in, or keeps its batch: then the time is that of an error. */
function assertResponded(name: string, { response }: ColdStart): void {
  const told = (response ?? {}) as {
    statusCode?: number;
    isAuthorized?: boolean;
    batchItemFailures?: unknown[];
  };
  const wrong =
    (told.statusCode ?? 200) >= 500 ||
    told.isAuthorized === false ||
    (told.batchItemFailures ?? []).length > 0;
  if (wrong) throw new Error(`${name} answered ${JSON.stringify(response)}`);
}

interface Kind {
  readonly named: string;
  readonly of: 'load' | 'first';
  readonly by: 'cpuMs' | 'wallMs';
}

/** The budget is on the CPU time: it does not count how long others kept the process from running. */
const loadCpu: Kind = { named: 'module load, CPU', of: 'load', by: 'cpuMs' };

const kinds: readonly Kind[] = [
  loadCpu,
  { named: 'module load', of: 'load', by: 'wallMs' },
  { named: 'first invocation, CPU', of: 'first', by: 'cpuMs' },
  { named: 'first invocation', of: 'first', by: 'wallMs' },
];

async function coldFigures(subject: Loadable, bare: Loadable, isEndpoint: boolean): Promise<Figure[]> {
  assertResponded(subject.name, await coldStart(subject));
  const found = await alternate(
    rounds,
    () => coldStart(subject),
    () => coldStart(bare),
  );
  return kinds.map((kind) => {
    const { named, of, by } = kind;
    const values = found.subject.map((start) => start[of][by]);
    return {
      what: `${subject.name}, ${named}`,
      unit: 'ms',
      ...middle(values),
      baseline: { what: bare.name, median: median(found.baseline.map((start) => start[of][by])) },
      ...(isEndpoint && kind === loadCpu ? { budget: loadBudget } : {}),
    };
  });
}

async function run(say: (progress: string) => void, service: BuiltService): Promise<Figure[]> {
  const { model, folder, metafile } = service;
  const engines = await borrowEngines(folder, model);
  try {
    const loadable = (fn: FunctionModel, name = fn.logicalId): Loadable => ({
      name,
      folder: fn.codeFolder,
      environment: functionEnvironment(fn, engines, 1),
      eventFile: `events/${fn.logicalId}.json`,
    });
    const [first] = model.functions;
    if (!first) throw new Error('the template has no function');
    const bareOf = async (file: string, name: string, way: Way = 'plain'): Promise<Loadable> => ({
      ...loadable(first, name),
      folder: await bundleBare(file, folder, way),
    });
    const bare = await bareOf('document-client', 'document client');
    // How much of the distance is our way of bundling, and not our code.
    const bundledOurWay = await bareOf('document-client', 'document client, bundled our way', 'ours');
    const behindRoutes = new Set(model.api?.routes.map(({ functionName }) => functionName));
    const times = await coldFigures(await bareOf('empty', 'empty handler'), bare, false);
    times.push(...(await coldFigures(bundledOurWay, bare, false)));
    for (const fn of model.functions) {
      say(fn.logicalId);
      times.push(...(await coldFigures(loadable(fn), bare, behindRoutes.has(fn.name))));
    }
    return [...model.functions.flatMap(sizeFigures), ...contentFigures(metafile), ...times].sort(byKind);
  } finally {
    await engines.giveBack();
  }
}

/** Figures of one kind stand together; within a kind the order stays. */
const order = [', bundle', ', bundle, gzip', ...kinds.map(({ named }) => `, ${named}`)];

function placeOf({ what }: Figure): number {
  return what.startsWith('of ') ? 1.5 : order.findIndex((ending) => what.endsWith(ending));
}

function byKind(a: Figure, b: Figure): number {
  return placeOf(a) - placeOf(b);
}

export const coldSection: Section = {
  name: 'cold',
  about: 'sizes of the bundles, loading them, and the first invocation, in fresh processes',
  run: (say) => onBuiltService((service) => run(say, service)),
};
