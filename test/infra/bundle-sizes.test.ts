import { readFileSync } from 'node:fs';
import type { Metafile } from 'esbuild';
import { expect, it } from 'vitest';
import { bundleBudgetBytes } from '../../build/bundle-settings.ts';
import { metafilePath } from '../../infra/bundle-paths.ts';

it('every bundle stays within the budget; one that does not is named with what is biggest in it', () => {
  const { outputs } = JSON.parse(readFileSync(metafilePath, 'utf8')) as Metafile;
  const bundles = Object.entries(outputs).filter(([file]) => file.endsWith('.mjs'));
  expect(bundles.length).toBeGreaterThan(40);
  const tooBig = bundles.filter(([, { bytes }]) => bytes > bundleBudgetBytes);
  const named = tooBig.map(([file, { bytes, inputs }]) => {
    const biggest = Object.entries(inputs).sort(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput);
    return { file, bytes, biggest: biggest.slice(0, 5).map(([path]) => path) };
  });
  expect(named).toEqual([]);
});
