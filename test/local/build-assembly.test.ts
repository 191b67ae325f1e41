import { utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isStale, newestSourceMs } from '../../build/assembly.ts';
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
