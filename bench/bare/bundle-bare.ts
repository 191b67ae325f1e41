import { join } from 'node:path';
import { build } from 'esbuild';
import { builtInModules } from '../../build/built-in-modules.ts';
import { bundleSettings } from '../../build/bundle-settings.ts';

/**
 * Bundles a handler of this folder, and returns the folder of the bundle. `plain` bundles with esbuild's minification
 * alone, `ours` with everything that our functions do to start sooner.
 */
export async function bundleBare(name: string, intoFolder: string, way: 'plain' | 'ours'): Promise<string> {
  const folder = join(intoFolder, `${name}-${way}`);
  await build({
    ...bundleSettings,
    ...(way === 'ours' ? { plugins: [builtInModules] } : { external: [] }),
    entryPoints: [{ in: join(import.meta.dirname, `${name}.ts`), out: 'index' }],
    outdir: folder,
  });
  return folder;
}
