import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isStale } from '../../build/assembly.ts';

function assemblyOf(...stacks: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'assembly-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const stack of stacks) writeFileSync(join(folder, `partner-integration-${stack}.template.json`), '{}');
  writeFileSync(join(folder, 'manifest.json'), '{}');
  return folder;
}

test('an assembly of dev that is newer than its sources is used as it is', () => {
  expect(isStale(assemblyOf('dev-data', 'dev-service'))).toBe(false);
});

test('an older one is built again', () => {
  const folder = assemblyOf('dev-data', 'dev-service');
  utimesSync(join(folder, 'manifest.json'), 0, 0);
  expect(isStale(folder)).toBe(true);
});

test('what "cdk synth" left of another stage, beside dev or in its place, is built again', () => {
  expect(isStale(assemblyOf('dev-data', 'dev-service', 'staging-data', 'staging-service'))).toBe(true);
  expect(isStale(assemblyOf('prod-data', 'prod-service'))).toBe(true);
});

test('none at all is built', () => {
  expect(isStale(join(tmpdir(), 'there-is-no-assembly-here'))).toBe(true);
});
