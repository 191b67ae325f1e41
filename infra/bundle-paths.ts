import { globSync } from 'node:fs';
import { kebabCase } from './kebab-case.ts';

/** What esbuild wrote about the last bundling: every output with the bytes each input gave to it. */
export const metafilePath = 'dist/metafile.json';

/** `functions/places/start-sync.lambda.ts` -> `places/start-sync/index` (esbuild adds the extension). */
export function bundleFile(entry: string): string {
  return `${entry.replace(/^functions\//, '').replace(/\.lambda\.ts$/, '')}/index`;
}

/** The folder that becomes the code of a function: `StartSync` -> `dist/functions/places/start-sync`. */
export function bundleFolder(functionId: string): string {
  const name = kebabCase(functionId);
  const [folder, ...others] = globSync(`dist/functions/*/${name}`);
  if (folder === undefined || others.length > 0) {
    throw new Error(
      `${functionId} needs one entry functions/*/${name}.lambda.ts, bundled by build/bundle.ts.`,
    );
  }
  return folder;
}
