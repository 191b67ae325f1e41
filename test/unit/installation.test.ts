import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import lock from '../../package-lock.json' with { type: 'json' };
import { runNode } from '../support/run-node.ts';

type Locked = { os?: string[]; optional?: boolean };

test('what npm has for some systems only is optional: elsewhere npm ci goes on without it', () => {
  const packages = lock.packages as Record<string, Locked>;
  const bound = Object.entries(packages).filter(([name, { os }]) => os || name === 'node_modules/node');
  expect(bound.length).toBeGreaterThan(50);
  expect(bound.filter(([, { optional }]) => !optional).map(([name]) => name)).toEqual([]);
});

/** Runs the check in a checkout of its own, where everything but Node 24 is installed. */
async function checkedOn(version: string) {
  const root = mkdtempSync(join(tmpdir(), 'installation-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'node_modules'));
  cpSync('build/ensure-installed.js', join(root, 'build/ensure-installed.js'));
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(root, 'node_modules/.package-lock.json'), '{}');
  const pretend = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`;
  const words = [`--import=data:text/javascript,${encodeURIComponent(pretend)}`, 'build/ensure-installed.js'];
  return runNode(words.map((word) => word.replace('build/', join(root, 'build/'))));
}

test('where npm has no Node 24, one that is installed is used, and an older one is refused in a sentence', async () => {
  expect(await checkedOn('24.11.0')).toEqual({ code: 0, out: '', err: '' });
  expect(await checkedOn('20.20.2')).toEqual({
    code: 1,
    out: '',
    err: `npm has no Node 24 for ${process.platform}-${process.arch}: install it (https://nodejs.org), then run the same command again.\n`,
  });
});
