import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { bundleSettings } from '../../infra/bundle-settings.ts';

/** Bundles a handler of this folder with the settings of the functions, and gives the folder it is in. */
export const bundleBare = async (
  name: string,
  intoFolder: string,
  plugins: readonly Plugin[] = [],
): Promise<string> => {
  const folder = join(intoFolder, `${name}${plugins.map((plugin) => `-${plugin.name}`).join('')}`);
  await build({
    ...bundleSettings,
    plugins: [...plugins],
    entryPoints: [{ in: join(import.meta.dirname, `${name}.ts`), out: 'index' }],
    outdir: folder,
  });
  return folder;
};
