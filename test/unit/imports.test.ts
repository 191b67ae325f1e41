import { expect, test } from 'vitest';
import { factoryName } from '../../build/handler-entries.ts';
import { type Import, importsOf, readSources } from '../support/import-graph.ts';

const platform = 'shared/platform/';

const sources = readSources();
const imports = sources.flatMap(importsOf);

function startsWith(file: string, ...paths: string[]): boolean {
  return paths.some((path) => file.startsWith(path));
}

function violations(breaks: (edge: Import) => boolean): string[] {
  return imports.filter(breaks).map(({ from, to }) => `${from} imports ${to}`);
}

function areaOf(file: string): string {
  return /^shared\/[^/]+\//.exec(file)?.[0] ?? '';
}

test('the imports of every folder were read', () => {
  expect(sources.length).toBeGreaterThan(500);
  expect(imports.length).toBeGreaterThan(1_500);
});

const commandLine = ['ops/cli/command-line.ts', 'ops/cli/option-values.ts'];
const names = ['http/operation', 'logging/metric-names', 'table/row-kinds', 'table/stream-markers'].map(
  (name) => `${platform}${name}.ts`,
);

test.each<[folder: string, ...allowed: string[]]>([
  ['functions/', 'shared/'],
  ['shared/'],
  [platform],
  ['build/', 'infra/', ...commandLine],
  ['bench/', 'local/', 'build/', ...commandLine, 'infra/config.ts', 'shared/', 'ops/scenario/'],
  ['docs/', 'functions/', 'shared/', 'infra/'],
  // Of what runs in a Lambda infra knows names; it loads the contracts of operations by their ids.
  ['infra/', 'cdk.json', ...names],
  // The console knows the API alone, as it is documented.
  ['console/', 'docs/generate/operations.ts', 'shared/platform/http/operation.ts', 'docs/snippets/'],
  ['ops/', 'shared/', 'build/', 'infra/config.ts', 'local/'],
  ['local/', 'build/', 'shared/', ...commandLine],
  // Actors know what partners and operators know; the service runs behind requests.
  ['test/simulation/actors/', 'shared/', 'test/simulation/'],
])('%s imports itself and these alone: %s %s %s %s', (folder, ...allowed) => {
  const isBeyond = ({ from, to }: Import) => startsWith(from, folder) && !startsWith(to, folder, ...allowed);
  expect(violations(isBeyond)).toEqual([]);
});

function pageOf(file: string): string {
  return /^console\/pages\/[^/]+\//.exec(file)?.[0] ?? '';
}
function functionOf(file: string): string {
  return startsWith(file, 'functions/') ? file : '';
}

test.each<[rule: string, breaks: (edge: Import) => boolean]>([
  [
    'a function imports no other: what two of them need lives in shared',
    ({ from, to }) => functionOf(from) !== '' && functionOf(to) !== '',
  ],
  [
    'areas of shared do not import each other. All know events, and the sandbox knows what it is sent',
    ({ from, to }) =>
      areaOf(from) !== '' &&
      !startsWith(to, areaOf(from), platform, 'shared/events/') &&
      !(startsWith(from, 'shared/sandbox/') && startsWith(to, 'shared/push/')),
  ],
  [
    'a page of the console does not know another',
    ({ from, to }) => pageOf(from) !== '' && pageOf(to) !== '' && pageOf(from) !== pageOf(to),
  ],
  [
    'of ops only the demo runs a service',
    ({ from, to }) =>
      startsWith(from, 'ops/') &&
      from !== 'ops/demo.ts' &&
      startsWith(to, 'local/') &&
      to !== 'local/running-service.ts',
  ],
  [
    'local reads the service from its templates: only its seed and its simulators import areas of shared',
    ({ from, to }) =>
      startsWith(from, 'local/') &&
      !startsWith(from, 'local/seed.ts', 'local/partners.ts', 'local/simulators/') &&
      areaOf(to) !== '' &&
      !startsWith(to, platform),
  ],
  [
    'nothing outside test imports test',
    ({ from, to }) => !startsWith(from, 'test/') && startsWith(to, 'test/'),
  ],
  [
    'the simulation calls no function by hand',
    ({ from, to }) => startsWith(from, 'test/simulation/') && startsWith(to, 'functions/'),
  ],
])('%s', (_rule, breaks) => {
  expect(violations(breaks)).toEqual([]);
});

test('a room of callbacks knows only the rooms below it: endpoint and rows know none', () => {
  const above = ['endpoint', 'rows', 'feed'];
  const below: Record<string, string[]> = {
    ...{ delivery: above, listing: above, examination: ['endpoint'], feed: [], rows: [], endpoint: [] },
  };
  const roomOf = (file: string) => /^shared\/callbacks\/([^/]+)\//.exec(file)?.[1];
  const rooms = new Set(sources.flatMap(({ file }) => roomOf(file) ?? []));
  expect([...rooms].sort()).toEqual(Object.keys(below).sort());
  const beyond = violations(({ from, to }) => {
    const [room, other] = [roomOf(from), roomOf(to)];
    if (!startsWith(from, 'shared/callbacks/') || other === undefined || room === other) return false;
    return room === undefined || !below[room]?.includes(other);
  });
  expect(beyond).toEqual([]);
});

/** Returns every import cycle that a depth-first walk meets, as its files in the order of their imports. */
function circles(): string[] {
  const importedBy = Map.groupBy(imports, ({ from }) => from);
  const path: string[] = [];
  const finished = new Set<string>();
  const found: string[] = [];
  function visit(file: string): void {
    const start = path.indexOf(file);
    if (start >= 0) found.push([...path.slice(start), file].join(' -> '));
    if (start >= 0 || finished.has(file)) return;
    path.push(file);
    for (const { to } of importedBy.get(file) ?? []) visit(to);
    path.pop();
    finished.add(file);
  }
  for (const { file } of sources) visit(file);
  return found;
}

test('no imports go in a circle, type imports included', () => {
  expect(circles()).toEqual([]);
});

test('a function connects to its environment when its factory is called without dependencies, and nowhere else', () => {
  const functions = sources.filter(({ file }) => startsWith(file, 'functions/'));
  const apart = functions.filter(({ file, code }) => {
    const factory = new RegExp(`^export function ${factoryName(file)}\\([^]*? = [^]*?\\) {$`, 'm');
    const rest = code.replace(factory, '').replace(/^function connect\(\) {$(.|\n)*?^}$/m, '');
    return rest === code || /\b(readEnv|connect\w*|\w+Deps)\(/.test(rest);
  });
  expect(apart.map(({ file }) => file)).toEqual([]);
});

const deployed = ['functions/', 'shared/'];
const simulated = ['core/', 'actors/', 'world.ts', 'run.ts'].map((path) => `test/simulation/${path}`);

test.each<[rule: string, within: string[], pattern: RegExp, allowed?: string[]]>([
  // A runbook exports STAGE for its commands; cdk works on the stage of the context, or on dev.
  ['infra reads CDK_OUTDIR of the environment alone', ['infra/'], /process\.env(?!\['CDK_OUTDIR'\])/],
  ['process.env is in a file of its own', deployed, /process\.env/, ['shared/platform/runtime/env.ts']],
  ['so is the clock', deployed, /Date\.now\(\)|new Date\(\)/, ['shared/platform/runtime/clock.ts']],
  [
    'so is chance',
    deployed,
    /randomUUID|randomBytes|Math\.random/,
    ['shared/platform/runtime/ids.ts', 'shared/platform/runtime/backoff.ts'],
  ],
  [
    'every function that makes calls takes the context, which limits their time',
    ['functions/'],
    /\(_?event\??: [^,)]*\)/,
    ['functions/console/serve-console.ts'],
  ],
  ['only one file of infra loads contracts', ['infra/'], /\bimport\(/, ['infra/operations.ts']],
  [
    'the console takes only types of contracts',
    ['console/'],
    /^(?!import type ).*from '(?:\.\.\/)+(?:docs\/generate|shared)\//m,
  ],
  [
    'a simulated run never waits for anything real',
    simulated,
    /node:(timers|child_process|worker_threads)|\b(setTimeout|setInterval|performance)\b|new Date\(\)/,
  ],
  [
    'tests reach tables and queues by the clients of deployed functions',
    ['test/'],
    /new (DynamoDBClient|SQSClient)\(|DynamoDBDocumentClient\.from\(/,
    // The first compares the clients with those of the SDK, and the other stands in for one on virtual time.
    ['test/unit/sdk-client.test.ts', 'test/simulation/core/table-client.ts'],
  ],
  [
    'zod is imported as zod/mini and as a namespace: anything else bundles several times as much',
    [''],
    /^import (?!(type )?\* as z from 'zod\/mini';).*from 'zod/m,
  ],
  [
    // `= ((` begins a call, and `const x: Type = ` gives a function its type.
    'functions at the top level of a file are declarations, arrow functions are for callbacks',
    [''],
    /^(export )?const \w+ = (async )?(<.*>)?(\((?!\().*=>|\($|\(\{$|\w+ =>).*$/m,
  ],
])('%s', (_rule, within, pattern, allowed = []) => {
  const found = sources.filter(({ file, code }) => startsWith(file, ...within) && pattern.test(code));
  expect(found.map(({ file }) => file).filter((file) => !allowed.includes(file))).toEqual([]);
});

test('a file of functions has at most 120 lines, others 250, of tests without blank ones', () => {
  const long = sources.filter(({ file, code }) => {
    const most = startsWith(file, 'functions/') ? 120 : 250;
    const lines = code.trimEnd().split('\n');
    return lines.filter((line) => line !== '' || !startsWith(file, 'test/')).length > most;
  });
  expect(long.map(({ file }) => file)).toEqual([]);
});
