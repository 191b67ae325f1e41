import type { BuildOptions } from 'esbuild';

/**
 * Lambda always has its credentials in the environment, so the SDK never loads these: each is behind an
 * `import()` that only a missing environment reaches. Leaving them out takes 120 kB off every bundle.
 */
const unusedCredentialProviders = ['sso', 'ini', 'process', 'web-identity', 'http', 'login'].map(
  (provider) => `@aws-sdk/credential-provider-${provider}`,
);

/** How a function is bundled. The bench bundles what it compares functions with in the same way. */
export const bundleSettings = {
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
  // Node reads a module's map when it loads the module. The sources would make it three times as large, and
  // stack traces need only names and lines.
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;
