import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { consoleFolder } from '../../build/console.ts';

/** The most bytes that a browser may download to show the sign-in and the overview. */
export const firstViewBudgetBytes = 350_000;

type Chunk = {
  name: string;
  file: string;
  isEntry?: boolean;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
};
type Manifest = Record<string, Chunk>;

/** Pages are the entry's dynamic imports. */
function addFiles(manifest: Manifest, key: string, files: Set<string>): void {
  const { file, isEntry, imports = [], dynamicImports = [], css = [] } = manifest[key] as Chunk;
  if (files.has(file)) return;
  for (const loaded of [file, ...css]) files.add(loaded);
  for (const imported of [...imports, ...(isEntry ? [] : dynamicImports)])
    addFiles(manifest, imported, files);
}

/** Returns all files that a browser loads when it opens a page first, by page. */
export function filesOfPages(): Map<string, string[]> {
  const manifest: Manifest = JSON.parse(readFileSync(join(consoleFolder, '.vite/manifest.json'), 'utf8'));
  const { dynamicImports = [] } = manifest['index.html'] as Chunk;
  return new Map(
    dynamicImports.map((page) => {
      const files = new Set(['index.html']);
      for (const key of ['index.html', page]) addFiles(manifest, key, files);
      return [(manifest[page] as Chunk).name, [...files]];
    }),
  );
}

/** Returns the HTML page and the files that its entry and the overview load. */
export function firstViewFiles(): { file: string; bytes: number }[] {
  const files = filesOfPages().get('overview');
  if (!files) throw new Error('The console has no page "overview".');
  return files.map((file) => {
    const compressed = join(consoleFolder, `${file}.br`);
    return { file, bytes: statSync(existsSync(compressed) ? compressed : join(consoleFolder, file)).size };
  });
}
