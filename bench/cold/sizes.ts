import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Metafile } from 'esbuild';
import { type BundleSize, bundleBudgetBytes, sizesOf } from '../../build/bundle-sizes.ts';
import type { FunctionModel } from '../../local/template/functions.ts';
import type { Figure } from '../section.ts';

function kB(bytes: number): number {
  return bytes / 1_000;
}

/** Without the source map, which is read only when an error is logged. */
export function sizeFigures({ logicalId, codeFolder }: FunctionModel): Figure[] {
  const bundle = readFileSync(join(codeFolder, 'index.mjs'));
  return [
    {
      what: `${logicalId}, bundle`,
      unit: 'kB',
      median: kB(bundle.length),
      budget: { of: 'median', atMost: kB(bundleBudgetBytes) },
    },
    { what: `${logicalId}, bundle, gzip`, unit: 'kB', median: kB(gzipSync(bundle).length) },
  ];
}

/** Packages that give less to a bundle are added up. */
const smallestShownKB = 2;

function nameOf({ file }: BundleSize): string {
  return file.replace('dist/functions/', '').replace('/index.mjs', '');
}

/** Package by package; the service's own code counts as one. */
function contentsOf(bundle: BundleSize): Figure[] {
  const parts = new Map<string, number>();
  for (const { path, bytes } of bundle.biggestInputs) {
    const own = /^(shared|functions)\//.test(path);
    const owner = own ? 'our own code' : kB(bytes) < smallestShownKB ? 'smaller packages' : path;
    parts.set(owner, (parts.get(owner) ?? 0) + bytes);
  }
  return [...parts]
    .sort(([, a], [, b]) => b - a)
    .map(([owner, bytes]) => ({ what: `of ${nameOf(bundle)}: ${owner}`, unit: 'kB', median: kB(bytes) }));
}

/** What the largest bundles are made of: of each area the largest, and of those three. Within an area they differ little. */
export function contentFigures(file: string): Figure[] {
  const metafile = JSON.parse(readFileSync(file, 'utf8')) as Metafile;
  const byArea = Map.groupBy(sizesOf(metafile, Number.POSITIVE_INFINITY), (bundle) =>
    dirname(nameOf(bundle)),
  );
  const largest = [...byArea.values()].flatMap(([first]) => (first ? [first] : []));
  if (largest.length < 3) throw new Error(`${file} names bundles of ${largest.length} areas`);
  return largest.slice(0, 3).flatMap(contentsOf);
}
