import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const plumbing = ['http', 'queues', 'table', 'runtime', 'validation'];

type Import = { from: string; to: string; text: string };

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));
}

const sources = ['functions', 'shared', 'infra'].flatMap(filesIn).map((file) => ({
  file,
  code: readFileSync(join(root, file), 'utf8'),
}));

const imports: Import[] = sources.flatMap(({ file, code }) =>
  [...code.matchAll(/from '([^']+)'/g)].map(([, specifier = '']) => ({
    from: file,
    to: specifier.startsWith('.') ? relative(root, resolve(root, dirname(file), specifier)) : specifier,
    text: `${file} imports ${specifier}`,
  })),
);

function inFolder(file: string, ...folders: string[]) {
  return folders.some((folder) => file.startsWith(`${folder}/`));
}

function areaOf(file: string) {
  return /^shared\/([^/]+)\//.exec(file)?.[1] ?? '';
}

function violations(breaks: (edge: Import) => boolean) {
  return imports.filter(breaks).map(({ text }) => text);
}

test('the import graph was read', () => {
  expect(imports.length).toBeGreaterThan(150);
});

test('functions never import functions: what two of them need lives in shared', () => {
  expect(
    violations(
      ({ from, to }) =>
        inFolder(from, 'functions') &&
        inFolder(to, 'functions') &&
        !(from.endsWith('.lambda.ts') && to === from.replace('.lambda.ts', '.ts')),
    ),
  ).toEqual([]);
});

test('shared never imports functions: arrows point from functions to areas to plumbing', () => {
  expect(
    violations(({ from, to }) => inFolder(from, 'shared') && inFolder(to, 'functions', 'infra', 'local')),
  ).toEqual([]);
});

test('areas do not import each other: a function joins them', () => {
  expect(
    violations(({ from, to }) => {
      const source = areaOf(from);
      const target = areaOf(to);
      return source !== '' && target !== '' && source !== target && !plumbing.includes(target);
    }),
  ).toEqual([]);
});

test('infra imports the contracts of operations and names, and nothing else that runs in a Lambda', () => {
  const known = [
    'shared/http/operation.ts',
    'shared/runtime/metric-names.ts',
    'shared/table/stream-markers.ts',
  ];
  expect(
    violations(({ from, to }) => inFolder(from, 'infra') && inFolder(to, 'shared') && !known.includes(to)),
  ).toEqual([]);
  const fromFunctions = sources
    .filter(({ file }) => inFolder(file, 'infra'))
    .flatMap(({ code }) => [...code.matchAll(/import \{([^}]+)\} from '[./]*\/functions\//g)])
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim());
  expect(fromFunctions.length).toBeGreaterThan(10);
  expect(fromFunctions.filter((name) => !name.endsWith('Operation'))).toEqual([]);
});

test('entries read env and wire clients, in 15 lines at most', () => {
  const long = sources.filter(
    ({ file, code }) => file.endsWith('.lambda.ts') && code.trimEnd().split('\n').length > 15,
  );
  expect(long.map(({ file }) => file)).toEqual([]);
});

test.each([
  ['process.env', /process\.env/, ['shared/runtime/env.ts']],
  ['the clock', /Date\.now\(\)|new Date\(\)/, ['shared/runtime/clock.ts']],
  ['chance', /randomUUID|randomBytes|Math\.random/, ['shared/runtime/ids.ts', 'shared/runtime/backoff.ts']],
  ['outgoing HTTP', /\bfetch\(|from 'node:https?'|from 'undici'/, ['shared/callbacks/guarded-client.ts']],
])('%s is touched in its own file alone', (_what, pattern, allowed) => {
  const touching = sources.filter(
    ({ file, code }) => inFolder(file, 'functions', 'shared') && pattern.test(code),
  );
  expect(touching.map(({ file }) => file).filter((file) => !allowed.includes(file))).toEqual([]);
});

test('zod is imported as zod/mini and as a namespace: anything else bundles several times as much', () => {
  const lines = ['functions', 'shared', 'infra', 'local', 'bench', 'docs', 'test']
    .flatMap(filesIn)
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/^import .*from 'zod.*$/gm)].map(
        ([line]) => `${file}: ${line}`,
      ),
    );
  expect(lines.length).toBeGreaterThan(70);
  expect(lines.filter((line) => !/: import (type )?\* as z from 'zod\/mini';$/.test(line))).toEqual([]);
});
