import { globSync } from 'node:fs';
import { kebabCase } from './kebab-case.ts';

/** esbuild's report of the last build: every output with the bytes that each input contributed. */
export const metafilePath = 'dist/metafile.json';

/** `functions/places/start-sync.ts` -> `places/start-sync/index` (esbuild adds the extension). */
export function bundleFile(file: string): string {
  return `${file.replace(/^functions\//, '').replace(/\.ts$/, '')}/index`;
}

/** The folder that becomes the code of a function: `StartSync` -> `dist/functions/places/start-sync`. */
export function bundleFolder(functionId: string): string {
  const name = kebabCase(functionId);
  const [folder, ...others] = globSync(`dist/functions/*/${name}`);
  if (folder === undefined || others.length > 0) {
    throw new Error(`${functionId} needs one file functions/*/${name}.ts, bundled by npm run build.`);
  }
  return folder;
}
