import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { builtInModules } from '../../build/built-in-modules.ts';
import { bundleSettings } from '../../build/bundle-settings.ts';
import { temporaryFolder } from '../../local/temporary-folder.ts';
import { readableStack } from '../../shared/platform/logging/readable-stack.ts';

const source = `
import { startWork } from ${JSON.stringify(join(import.meta.dirname, '../../shared/platform/logging/log.ts'))};

function findRow() {
  throw new Error('no such row', { cause: new Error('the table is gone') });
}

try {
  findRow();
} catch (error) {
  startWork('Fails').failed(error);
}
`;

let folder: string;
let remove: () => void;
beforeEach(async () => {
  ({ path: folder, remove } = temporaryFolder('readable-stack'));
  writeFileSync(join(folder, 'find-row.ts'), source);
  await build({
    ...bundleSettings,
    entryPoints: [{ in: join(folder, 'find-row.ts'), out: 'index' }],
    outdir: folder,
    plugins: [builtInModules],
    metafile: false,
  });
});
afterEach(() => remove());

function stacks(): { error: string; cause: string } {
  const env = { POWERTOOLS_LOG_LEVEL: 'INFO' };
  const { stderr } = spawnSync(process.execPath, [join(folder, 'index.mjs')], { encoding: 'utf8', env });
  const { error } = JSON.parse(stderr);
  return { error: error.stack, cause: error.cause.stack };
}

test('a log line about an error names our files and lines, though the function runs a bundle', () => {
  const { error, cause } = stacks();
  expect(error).toMatch(/^Error: no such row\n {4}at .*find-row\.ts:5:9/);
  expect(error).toContain('find-row.ts:9:3');
  expect(cause).toMatch(/^Error: the table is gone\n {4}at .*find-row\.ts:5:43/);
  expect(error).not.toContain('index.mjs');
});

test('when the source map is missing, the line still says where in the bundle the error was', () => {
  rmSync(join(folder, 'index.mjs.map'));
  expect(stacks().error).toMatch(/^Error: no such row\n {4}at .*index\.mjs:\d+:\d+/);
});

test('a stack is read in linear time, whatever its message contains', () => {
  const hostile = 'file://x/'.repeat(1_000_000);
  expect(readableStack(hostile)).toBe(hostile);
});
