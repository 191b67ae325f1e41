import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { bundleFile, metafilePath } from '../infra/bundle-paths.ts';
import { builtInModules } from './built-in-modules.ts';
import { bundleSettings } from './bundle-settings.ts';
import { buildConsole, copyConsole } from './console.ts';

const startedAt = performance.now();
const entries = globSync('functions/**/*.lambda.ts').sort();

// A function that was renamed or removed must not live on in dist.
rmSync('dist/functions', { recursive: true, force: true });

const { metafile } = await build({
  entryPoints: entries.map((entry) => ({ in: entry, out: bundleFile(entry) })),
  outdir: 'dist/functions',
  ...bundleSettings,
  plugins: [builtInModules],
});

mkdirSync('dist', { recursive: true });
writeFileSync(metafilePath, JSON.stringify(metafile));

await buildConsole();
copyConsole();

console.log(
  `Bundled ${entries.length} functions into dist/functions in ${Math.round(performance.now() - startedAt)} ms.`,
);
