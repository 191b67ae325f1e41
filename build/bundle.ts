import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { bundleFile, metafilePath } from '../infra/bundle-paths.ts';
import { builtInModules } from './built-in-modules.ts';
import { bundleSettings } from './bundle-settings.ts';
import { buildConsole, copyConsole } from './console.ts';
import { handlerEntries, handlerEntry } from './handler-entries.ts';

const startedAt = performance.now();
const files = globSync('functions/*/*.ts').sort();

// Remove the bundles of functions that were renamed or removed.
rmSync('dist/functions', { recursive: true, force: true });

const { metafile } = await build({
  entryPoints: files.map((file) => ({ in: handlerEntry(file), out: bundleFile(file) })),
  outdir: 'dist/functions',
  ...bundleSettings,
  plugins: [handlerEntries, builtInModules],
});

mkdirSync('dist', { recursive: true });
writeFileSync(metafilePath, JSON.stringify(metafile));

await buildConsole();
copyConsole();

const ms = Math.round(performance.now() - startedAt);
console.log(`Bundled ${files.length} functions into dist/functions in ${ms} ms.`);
