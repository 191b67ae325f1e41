import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { consoleFolder } from '../../build/console.ts';

/** What a browser loads to show the sign-in and the overview, as sent. */
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

/** The pages are what the entry imports dynamically. Pictures in style sheets do not count: no page shows them. */
function addFiles(manifest: Manifest, key: string, files: Set<string>): void {
  const { file, isEntry, imports = [], dynamicImports = [], css = [] } = manifest[key] as Chunk;
  if (files.has(file)) return;
  for (const loaded of [file, ...css]) files.add(loaded);
  for (const imported of [...imports, ...(isEntry ? [] : dynamicImports)])
    addFiles(manifest, imported, files);
}

/** By page, all that a browser loads when it opens this page first. */
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

/** The page, and what its entry and the overview load. */
export function firstViewFiles(): { file: string; bytes: number }[] {
  const files = filesOfPages().get('overview');
  if (!files) throw new Error('The console has no page "overview".');
  return files.map((file) => {
    const compressed = join(consoleFolder, `${file}.br`);
    return { file, bytes: statSync(existsSync(compressed) ? compressed : join(consoleFolder, file)).size };
  });
}
