import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { documented } from '../../docs/generate/operations.ts';
import { kebabCase } from '../../infra/kebab-case.ts';
import { operations } from '../../infra/operations.ts';
import type { Operation } from '../../shared/platform/http/operation.ts';
import { memberNames } from '../../shared/platform/validation/members/known-members.ts';
import { costCases } from '../integration/costs/cost-cases.ts';
import { accessCases } from '../security/access-control/access-cases.ts';

function textOf(...files: string[]): string {
  return files.map((file) => readFileSync(file, 'utf8')).join('\n');
}

// test/infra/routes.test.ts compares the templates with the contracts, which takes seconds: their sources take none.
const functionsInInfra = globSync('infra/*.ts')
  .map((file) => textOf(file))
  .filter((code) => code.includes('addHttpFunctions(service'))
  .join('\n');
const integrationTests = textOf(...globSync('test/integration/*/*.ts', { exclude: ['**/costs/**'] }));
const guides = textOf('docs/partner-guide.md', 'docs/wallet-guide.md');

/** Each step of "Add an operation" in CONTRIBUTING.md: whether it is done, and what to do. */
const steps: readonly [isDone: (operation: Operation) => boolean, step: string][] = [
  [
    ({ id }) => new RegExp(`^\\s+${id}: `, 'm').test(functionsInInfra),
    'infra/<area>.ts has no function: add it with the table actions that it needs',
  ],
  [
    ({ id }) => integrationTests.includes(`/${kebabCase(id)}.ts'`),
    'test/integration/<area>/ has no test that imports its file',
  ],
  [
    ({ route, aliases = [] }) => [route, ...aliases].every((path) => accessCases[path]),
    'test/security/access-control/access-cases.ts has no access case of its route, or of an alias',
  ],
  [
    ({ id }) => (costCases[id]?.length ?? 0) > 0,
    'test/integration/costs/*-costs.ts has no worst case with its units',
  ],
  [({ id }) => existsSync(`events/${id}.json`), 'events/ has no sample event under its id'],
  [
    ({ id }) => documented.some(({ operation }) => operation.id === id),
    'docs/generate/operations.ts, or its area in docs/generate/operations/, has no summary and examples',
  ],
  [
    ({ route }) => pathPattern(route).test(guides),
    'docs/partner-guide.md, or docs/wallet-guide.md, has no request to its path',
  ],
];

/** Matches the path of a route, no longer one that begins with it, with any values in place of its parameters. */
function pathPattern(route: string): RegExp {
  const path = route.slice(route.indexOf(' ') + 1);
  return new RegExp(`${path.replaceAll(/\{[^}]+\}/g, '[^/\\s]+')}(?![\\w/-])`);
}

test('every operation is in all places that CONTRIBUTING.md names', () => {
  expect(operations.length).toBeGreaterThan(40);
  const missing = operations.flatMap((operation) =>
    steps.flatMap(([isDone, step]) => (isDone(operation) ? [] : [`${operation.id}: ${step}`])),
  );
  expect(missing).toEqual([]);
});

test('rule 5: an operation that shows a secret keeps its response without it', () => {
  const shown = operations.filter(({ response }) => memberNames(response).includes('secret'));
  expect(shown.map(({ id, secretMembers = [] }) => [id, ...secretMembers].join()).sort()).toEqual([
    'CreateKey,secret',
    'PutAlerts,secret',
    'PutEndpoint,secret',
    'RotateEndpointSecret,secret',
    'RotateKey,secret',
  ]);
});
