import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { factoryName } from '../../build/handler-entries.ts';
import { type Import, importsOf, readSources, type Source } from '../support/import-graph.ts';

const platform = 'shared/platform/';

const sources = readSources();
const imports = sources.flatMap(importsOf);

function startsWith(file: string, ...paths: string[]): boolean {
  return paths.some((path) => file.startsWith(path));
}

function violations(breaks: (edge: Import) => boolean): string[] {
  return imports.filter(breaks).map(({ from, to }) => `${from} imports ${to}`);
}

/** Returns what `from` imports outside `allowed`. A path that ends with a slash is a folder. */
function importsBeyond(from: string, ...allowed: string[]): string[] {
  return violations((edge) => startsWith(edge.from, from) && !startsWith(edge.to, from, ...allowed));
}

function areaOf(file: string): string {
  return /^shared\/[^/]+\//.exec(file)?.[0] ?? '';
}

test('the imports of every folder were read', () => {
  expect(sources.length).toBeGreaterThan(500);
  expect(imports.length).toBeGreaterThan(1_500);
});

test('functions import shared, and no other function: what two of them need lives in shared', () => {
  expect(violations(({ from, to }) => startsWith(from, 'functions/') && areaOf(to) === '')).toEqual([]);
});

const commandLine = ['ops/cli/command-line.ts', 'ops/cli/option-values.ts'];

test.each<[folder: string, ...allowed: string[]]>([
  ['shared/'],
  [platform],
  ['build/', 'infra/', ...commandLine],
  ['bench/', 'local/', 'build/', ...commandLine, 'infra/config.ts', 'shared/', 'ops/scenario/'],
  ['docs/', 'functions/', 'shared/', 'infra/'],
])('%s imports itself and these alone: %s %s %s %s', (folder, ...allowed) => {
  expect(importsBeyond(folder, ...allowed)).toEqual([]);
});

test('areas do not import each other: a function joins them. All know events, and the sandbox knows what it is sent', () => {
  const known = [platform, 'shared/events/'];
  const beyond = violations(({ from, to }) => areaOf(from) !== '' && !startsWith(to, areaOf(from), ...known));
  expect(beyond.filter((edge) => !/^shared\/sandbox\/\S+ imports shared\/push\//.test(edge))).toEqual([]);
});

test('a room of callbacks knows only the rooms below it: endpoint and rows know none', () => {
  const area = 'shared/callbacks/';
  const below: Record<string, string[]> = {
    delivery: ['endpoint', 'rows', 'feed'],
    listing: ['endpoint', 'rows', 'feed'],
    examination: ['endpoint'],
    feed: [],
    rows: [],
    endpoint: [],
  };
  const roomOf = (file: string) => /^shared\/callbacks\/([^/]+)\//.exec(file)?.[1];
  const rooms = new Set(sources.flatMap(({ file }) => roomOf(file) ?? []));
  expect([...rooms].sort()).toEqual(Object.keys(below).sort());
  const beyond = violations(({ from, to }) => {
    const [room, other] = [roomOf(from), roomOf(to)];
    if (!startsWith(from, area) || other === undefined || room === other) return false;
    return room === undefined || !below[room]?.includes(other);
  });
  expect(beyond).toEqual([]);
});

test('no folder of shared holds more than 13 files', () => {
  const folders = Map.groupBy(sources, ({ file }) => dirname(file));
  const full = [...folders].filter(([folder, files]) => folder.startsWith('shared/') && files.length > 13);
  expect(full.map(([folder]) => folder)).toEqual([]);
});

test('infra imports names, and nothing that runs in a Lambda; it loads the contracts of operations by their ids', () => {
  const names = [
    'shared/platform/http/operation.ts',
    'shared/platform/logging/metric-names.ts',
    'shared/platform/table/row-kinds.ts',
    'shared/platform/table/stream-markers.ts',
  ];
  expect(importsBeyond('infra/', 'cdk.json', ...names)).toEqual([]);
  const loading = sources.filter(({ file, code }) => startsWith(file, 'infra/') && /\bimport\(/.test(code));
  expect(loading.map(({ file }) => file)).toEqual(['infra/operations.ts']);
});

test('the console knows the API alone: of contracts it takes types, and a page does not know another', () => {
  expect(
    importsBeyond('console/', 'functions/', 'shared/platform/http/operation.ts', 'docs/snippets/'),
  ).toEqual([]);
  const loaded = sources
    .filter(({ file }) => startsWith(file, 'console/'))
    .flatMap(({ file, code }) =>
      [...code.matchAll(/^(?!import type ).*from '(?:\.\.\/)+(?:functions|shared)\/.*$/gm)].map(
        ([line]) => `${file}: ${line}`,
      ),
    );
  expect(loaded).toEqual([]);
  const pageOf = (file: string) => /^console\/pages\/[^/]+\//.exec(file)?.[0] ?? '';
  expect(
    violations(({ from, to }) => pageOf(from) !== '' && pageOf(to) !== '' && pageOf(from) !== pageOf(to)),
  ).toEqual([]);
});

test('ops imports shared, the build, the names of a stage, and where a service runs; only the demo runs one', () => {
  expect(importsBeyond('ops/', 'shared/', 'build/', 'infra/config.ts', 'local/')).toEqual([]);
  const runs = (to: string) => startsWith(to, 'local/') && to !== 'local/running-service.ts';
  const runners = violations(({ from, to }) => startsWith(from, 'ops/') && runs(to));
  expect(runners.filter((edge) => !edge.startsWith('ops/demo.ts '))).toEqual([]);
});

test('local reads the service from its templates: only its seed and its simulators import areas of shared', () => {
  expect(importsBeyond('local/', 'build/', 'shared/', ...commandLine)).toEqual([]);
  const knowAreas = ['local/seed.ts', 'local/partners.ts', 'local/simulators/'];
  expect(
    violations(
      ({ from, to }) =>
        startsWith(from, 'local/') &&
        !startsWith(from, ...knowAreas) &&
        areaOf(to) !== '' &&
        !startsWith(to, platform),
    ),
  ).toEqual([]);
});

test('nothing outside test imports test', () => {
  expect(violations(({ from, to }) => !startsWith(from, 'test/') && startsWith(to, 'test/'))).toEqual([]);
});

test('actors of the simulation know what partners and operators know; the service runs behind requests', () => {
  expect(importsBeyond('test/simulation/actors/', 'shared/', 'test/simulation/')).toEqual([]);
  const byHand = violations(
    ({ from, to }) => startsWith(from, 'test/simulation/') && startsWith(to, 'functions/'),
  );
  expect(byHand).toEqual([]);
});

test('a simulated run never waits for anything real', () => {
  const real =
    /node:(timers|child_process|worker_threads)|\b(setTimeout|setInterval|performance)\b|new Date\(\)/;
  const inside = ['core/', 'actors/', 'world.ts', 'run.ts'].map((path) => `test/simulation/${path}`);
  const waiting = sources.filter(({ file, code }) => startsWith(file, ...inside) && real.test(code));
  expect(waiting.map(({ file }) => file)).toEqual([]);
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

test.each([
  ['process.env', /process\.env/, ['shared/platform/runtime/env.ts']],
  ['the clock', /Date\.now\(\)|new Date\(\)/, ['shared/platform/runtime/clock.ts']],
  [
    'chance',
    /randomUUID|randomBytes|Math\.random/,
    ['shared/platform/runtime/ids.ts', 'shared/platform/runtime/backoff.ts'],
  ],
  ['egress HTTP', /\bfetch\(|from 'node:https?'|from 'undici'/, ['shared/platform/egress/guarded-client.ts']],
])('in functions and shared, %s is used in its own file only', (_what, pattern, allowed) => {
  const using = sources.filter(
    ({ file, code }) => startsWith(file, 'functions/', 'shared/') && pattern.test(code),
  );
  expect(using.map(({ file }) => file).filter((file) => !allowed.includes(file))).toEqual([]);
});

test('tests reach tables and queues by the clients of deployed functions, with their timeouts, retries and marshalling', () => {
  const own = /new (DynamoDBClient|SQSClient)\(|DynamoDBDocumentClient\.from\(/;
  // The first compares the clients with those of the SDK, and the other stands in for the client on virtual time.
  const allowed = ['test/unit/sdk-client.test.ts', 'test/simulation/core/table-client.ts'];
  const making = sources.filter(({ file, code }) => startsWith(file, 'test/') && own.test(code));
  expect(making.map(({ file }) => file).sort()).toEqual(allowed.sort());
});

test('zod is imported as zod/mini and as a namespace: anything else bundles several times as much', () => {
  const lines = sources.flatMap(({ file, code }) =>
    [...code.matchAll(/^import .*from 'zod.*$/gm)].map(([line]) => `${file}: ${line}`),
  );
  expect(lines.length).toBeGreaterThan(70);
  expect(lines.filter((line) => !/: import (type )?\* as z from 'zod\/mini';$/.test(line))).toEqual([]);
});

function filesLongerThan(maxLines: number, matches: (source: Source) => boolean): string[] {
  return sources
    .filter(matches)
    .map(({ file, code }) => ({ file, lines: code.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > maxLines)
    .map(({ file, lines }) => `${file} has ${lines} lines`);
}

test('a file of functions has at most 120 lines', () => {
  expect(filesLongerThan(120, ({ file }) => startsWith(file, 'functions/'))).toEqual([]);
});

test('a file outside functions and test has at most 250 lines', () => {
  expect(filesLongerThan(250, ({ file }) => !startsWith(file, 'functions/', 'test/'))).toEqual([]);
});

test('functions at the top level of a file are declarations, arrow functions are for callbacks', () => {
  // `= ((` begins a call, and `const x: Type = ` gives a function its type.
  const arrow = /^(export )?const \w+ = (async )?(<.*>)?(\((?!\().*=>|\($|\(\{$|\w+ =>).*$/gm;
  const found = sources.flatMap(({ file, code }) =>
    [...code.matchAll(arrow)].map(([line]) => `${file}: ${line}`),
  );
  expect(found).toEqual([]);
});
