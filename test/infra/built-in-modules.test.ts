import { execFileSync } from 'node:child_process';
import { build, type Plugin } from 'esbuild';
import { expect, test } from 'vitest';
import { builtInModules } from '../../build/built-in-modules.ts';
import { bundleSettings } from '../../build/bundle-settings.ts';

const source = `
  import { request } from 'node:http';
  import crypto, { createHash } from 'crypto';
  import * as timers from 'node:timers/promises';
  const { Agent } = await import('node:http');
  const kinds = [typeof Agent, typeof request, typeof crypto.createHash, typeof createHash, typeof timers.setTimeout];
  console.log(kinds.join(' '), process.moduleLoadList.some((module) => module.includes('undici')));
`;

async function printedBy(plugins: Plugin[]): Promise<string> {
  const { outputFiles } = await build({
    ...bundleSettings,
    plugins,
    stdin: { contents: source, resolveDir: '.' },
    outdir: '.',
    sourcemap: false,
    write: false,
  });
  const [module] = outputFiles;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', module?.text ?? ''], {
    encoding: 'utf8',
  });
}

test('a function that uses node:http does not load the second HTTP client of Node', async () => {
  expect(await printedBy([builtInModules])).toBe('function function function function function false\n');
  // If this line fails, Node itself loads the client later, and build/built-in-modules.ts can be removed.
  expect(await printedBy([])).toBe('function function function function function true\n');
});
