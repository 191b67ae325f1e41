import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSources } from '../support/import-graph.ts';

const rules = [...readFileSync('docs/decisions.md', 'utf8').matchAll(/^\*\*(\d+)\. /gm)].map(([, n]) =>
  Number(n),
);

/** The rules with which titles of tests, and of groups of tests, begin. */
const proven = readSources()
  .filter(({ file }) => /^test\/.*\.(test|shared)\.ts$/.test(file))
  .flatMap(({ file, code }) =>
    [...code.matchAll(/['"`]rule (\d+): /g)].map(([, rule]) => ({ file, rule: Number(rule) })),
  );

test('every rule of docs/decisions.md is proven by a test whose title begins with "rule" and its number', () => {
  expect(rules.length).toBeGreaterThan(50);
  const numbers = new Set(proven.map(({ rule }) => rule));
  expect(rules.filter((rule) => !numbers.has(rule))).toEqual([]);
});

test('no title of a test names a rule that does not exist', () => {
  expect(proven.filter(({ rule }) => !rules.includes(rule))).toEqual([]);
});
