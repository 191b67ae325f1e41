import { defineConfig } from 'vitest/config';

type Options = { engines?: boolean; isolate?: boolean; timeoutMs?: number };

/** Each project is one folder of test/: rules are pure and fast, the others stand on real engines. */
const project = (name: string, options: Options = {}) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout: options.timeoutMs ?? 10_000,
    hookTimeout: 60_000,
    isolate: options.isolate ?? true,
    env: { POWERTOOLS_LOG_LEVEL: process.env['POWERTOOLS_LOG_LEVEL'] ?? 'SILENT' },
    ...(options.engines ? { globalSetup: ['test/support/engines.setup.ts'] } : {}),
  },
});

export default defineConfig({
  test: {
    retry: 0,
    reporters: ['default', './test/support/closing-line.reporter.ts'],
    projects: [
      project('rules'),
      // CDK takes seconds to load, and its tests share nothing that they change.
      project('infra', { timeoutMs: 30_000, isolate: false }),
      project('functions', { engines: true, timeoutMs: 30_000 }),
      project('models', { engines: true, timeoutMs: 150_000 }),
      project('local', { timeoutMs: 30_000 }),
      project('outgoing', { timeoutMs: 30_000 }),
      project('flows', { timeoutMs: 120_000 }),
      project('doors', { timeoutMs: 120_000 }),
    ],
  },
});
