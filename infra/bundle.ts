import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { bundleFile, metafilePath } from './bundle-paths.ts';

/**
 * Lambda always has its credentials in the environment, so the SDK never loads these: each is behind an
 * `import()` that only a missing environment reaches. Leaving them out takes 120 kB off every bundle.
 */
const unusedCredentialProviders = ['sso', 'ini', 'process', 'web-identity', 'http', 'login'].map(
  (provider) => `@aws-sdk/credential-provider-${provider}`,
);

const startedAt = performance.now();
const entries = globSync('functions/**/*.lambda.ts').sort();

// A function that was renamed or removed must not live on in dist.
rmSync('dist/functions', { recursive: true, force: true });

const { metafile } = await build({
  entryPoints: entries.map((entry) => ({ in: entry, out: bundleFile(entry) })),
  outdir: 'dist/functions',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  external: unusedCredentialProviders,
  minify: true,
  keepNames: false,
  charset: 'utf8',
  legalComments: 'none',
  sourcemap: 'linked',
  metafile: true,
  logLevel: 'warning',
});

mkdirSync('dist', { recursive: true });
writeFileSync(metafilePath, JSON.stringify(metafile));

console.log(
  `Bundled ${entries.length} functions into dist/functions in ${Math.round(performance.now() - startedAt)} ms.`,
);
