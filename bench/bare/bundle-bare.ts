import { join } from 'node:path';
import { build } from 'esbuild';
import { builtInModules } from '../../build/built-in-modules.ts';
import { bundleSettings } from '../../build/bundle-settings.ts';

/** `plain`: as anybody would, minified and whole. `ours`: with all that functions do to start sooner. */
export type Way = 'plain' | 'ours';

/** Bundles a handler of this folder, and gives the folder it is in. */
export async function bundleBare(name: string, intoFolder: string, way: Way): Promise<string> {
  const folder = join(intoFolder, `${name}-${way}`);
  await build({
    ...bundleSettings,
    ...(way === 'ours' ? { plugins: [builtInModules] } : { external: [] }),
    entryPoints: [{ in: join(import.meta.dirname, `${name}.ts`), out: 'index' }],
    outdir: folder,
  });
  return folder;
}
