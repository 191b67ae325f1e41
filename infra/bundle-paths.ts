/** What esbuild wrote about the last bundling: every output with the bytes each input gave to it. */
export const metafilePath = 'dist/metafile.json';

/** `functions/places/start-sync.lambda.ts` -> `places/start-sync/index` (esbuild adds the extension). */
export function bundleFile(entry: string): string {
  return `${entry.replace(/^functions\//, '').replace(/\.lambda\.ts$/, '')}/index`;
}

/** The folder that becomes one function's code: `places/start-sync` -> `dist/functions/places/start-sync`. */
export function bundleFolder(bundle: string): string {
  return `dist/functions/${bundle}`;
}
