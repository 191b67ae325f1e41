import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/** The packages whose code is in some bundle, as `name@version`, in the order of the alphabet. */
export function bundledPackages(metafile: Metafile, root = '.'): string[] {
  const folders = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []),
  );
  return [...new Set(folders)]
    .map((folder) => {
      const { name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      return `${name}@${version}`;
    })
    .sort();
}
