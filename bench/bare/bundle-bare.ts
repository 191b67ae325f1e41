import { join } from 'node:path';
import { build } from 'esbuild';
import { builtInModules } from '../../build/built-in-modules.ts';
import { bundleSettings } from '../../build/bundle-settings.ts';

/**
 * Bundles a handler of this folder with everything that our functions do to start sooner, and returns the folder of the
 * bundle.
 */
export async function bundleBare(name: string, intoFolder: string): Promise<string> {
  const folder = join(intoFolder, name);
  await build({
    ...bundleSettings,
    plugins: [builtInModules],
    entryPoints: [{ in: join(import.meta.dirname, `${name}.ts`), out: 'index' }],
    outdir: folder,
  });
  return folder;
}
