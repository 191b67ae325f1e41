import type { Metafile } from 'esbuild';

/** Of any function, minified, without its source map. 1 kB is 1,000 bytes, as package sizes are usually given. */
export const bundleBudgetBytes = 380_000;

export type BundleSize = ReturnType<typeof sizesOf>[number];

const inputsShown = 5;

/** Every bundle of the last bundling, biggest first. */
export function sizesOf(metafile: Metafile) {
  return Object.entries(metafile.outputs)
    .filter(([file]) => file.endsWith('.mjs'))
    .map(([file, { bytes, inputs }]) => ({
      file,
      bytes,
      biggestInputs: biggestOf(inputs).slice(0, inputsShown),
    }))
    .sort((a, b) => b.bytes - a.bytes);
}

export function overBudget(bundles: readonly BundleSize[], budgetBytes: number): BundleSize[] {
  return bundles.filter(({ bytes }) => bytes > budgetBytes);
}

/** Files of a package count together, so that many small files of one dependency show up as one big input. */
export function ownerOf(path: string): string {
  return /node_modules\/((?:@[^/]+\/)?[^/]+)(?!.*node_modules\/)/.exec(path)?.[1] ?? path;
}

/** Packages and files by the bytes they gave to the bundle, biggest first. */
function biggestOf(inputs: Metafile['outputs'][string]['inputs']) {
  const bytesByOwner = new Map<string, number>();
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const owner = ownerOf(path);
    bytesByOwner.set(owner, (bytesByOwner.get(owner) ?? 0) + bytesInOutput);
  }
  return [...bytesByOwner].map(([path, bytes]) => ({ path, bytes })).sort((a, b) => b.bytes - a.bytes);
}
