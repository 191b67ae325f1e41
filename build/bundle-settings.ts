import type { BuildOptions } from 'esbuild';

/**
 * Packages that the SDK imports dynamically and functions never load: credential providers, because Lambda's credentials
 * are in the environment, and event streams, which DynamoDB and SQS do not use. Leaving them out saves 150 kB a bundle.
 */
const neverLoaded = [
  ...['sso', 'ini', 'process', 'web-identity', 'http', 'login'].map(
    (provider) => `@aws-sdk/credential-provider-${provider}`,
  ),
  '@smithy/credential-provider-imds',
  '@smithy/core/event-streams',
];

/** The largest bundle of any function, minified, without its source map. 1 kB is 1,000 bytes, as package sizes are usually given. */
export const bundleBudgetBytes = 380_000;

/** How a function is bundled. The bench bundles what it compares functions with in the same way. */
export const bundleSettings = {
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  external: neverLoaded,
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
