import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { consoleFolder } from './console.ts';

/** What a browser loads to show the sign-in and the overview, as sent. */
export const firstViewBudgetBytes = 350_000;

type Chunk = { file: string; imports?: string[]; css?: string[]; assets?: string[] };

/** The page, and what its entry and the overview load. */
export function firstViewFiles(folder = consoleFolder): { file: string; bytes: number }[] {
  const manifest: Record<string, Chunk> = JSON.parse(
    readFileSync(join(folder, '.vite/manifest.json'), 'utf8'),
  );
  const files = new Set(['index.html']);
  const add = (name: string): void => {
    const { file, imports = [], css = [], assets = [] } = manifest[name] as Chunk;
    if (files.has(file)) return;
    for (const loaded of [file, ...css, ...assets]) files.add(loaded);
    for (const imported of imports) add(imported);
  };
  for (const name of ['index.html', 'pages/overview/overview.tsx']) add(name);
  return [...files].map((file) => {
    const compressed = join(folder, `${file}.br`);
    return { file, bytes: statSync(existsSync(compressed) ? compressed : join(folder, file)).size };
  });
}
