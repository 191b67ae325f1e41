import { existsSync, globSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isStale, newestSourceMs, sources } from '../../build/assembly.ts';
import { importsOf, readSources } from '../support/import-graph.ts';
import { testFolder } from './fixtures/fixture-service.ts';

function assemblyOf(...stacks: string[]): string {
  const folder = testFolder();
  for (const stack of stacks) writeFileSync(join(folder, `partner-integration-${stack}.template.json`), '{}');
  writeFileSync(join(folder, 'manifest.json'), '{}');
  return folder;
}

test.each([
  ['of dev that is newer than its sources is used as it is', ['dev-data', 'dev-service'], undefined, false],
  ['made of its newest source is used as it is', ['dev-data', 'dev-service'], newestSourceMs(), false],
  ['that is older is built again', ['dev-data', 'dev-service'], newestSourceMs() - 1, true],
  ['of another stage is built again', ['prod-data', 'prod-service'], undefined, true],
  ['of another stage beside dev is built again', ['dev-data', 'staging-data'], undefined, true],
])('an assembly %s', (_what, stacks, writtenAt, expected) => {
  const folder = assemblyOf(...stacks);
  if (writtenAt !== undefined)
    utimesSync(join(folder, 'manifest.json'), new Date(writtenAt), new Date(writtenAt));
  expect(isStale(folder)).toBe(expected);
});

test('none at all is built', () => {
  expect(isStale(join(tmpdir(), 'there-is-no-assembly-here'))).toBe(true);
});

test('every file that the build runs or bundles dates the assembly', () => {
  const loaded = readSources()
    .flatMap(importsOf)
    .filter(({ ofTypes }) => !ofTypes);
  const imports = Map.groupBy(loaded, ({ from }) => from);
  const reached = new Set([
    'build/bundle.ts',
    'infra/app.ts',
    ...globSync(['functions/*/*.ts', 'console/*']),
  ]);
  for (const file of reached)
    for (const { to } of imports.get(file) ?? []) reached.add(to.replace(/\?.*/, ''));
  const dating = new Set(globSync(sources));
  expect(reached.has('docs/snippets/verify-callback.mjs')).toBe(true);
  expect([...reached].filter((file) => existsSync(file) && !dating.has(file))).toEqual([]);
});
