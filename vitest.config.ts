import { defineConfig } from 'vitest/config';

type Options = { engines?: boolean; isolate?: boolean; timeoutMs?: number };

/** Each project is one folder of test/: unit tests are pure and fast, the others run on real engines. */
function project(name: string, options: Options = {}) {
  return {
    test: {
      name,
      include: [`test/${name}/**/*.test.ts`],
      testTimeout: options.timeoutMs ?? 10_000,
      hookTimeout: 60_000,
      isolate: options.isolate ?? true,
      env: { POWERTOOLS_LOG_LEVEL: process.env['POWERTOOLS_LOG_LEVEL'] ?? 'SILENT' },
      ...(options.engines ? { globalSetup: ['test/support/engines.setup.ts'] } : {}),
    },
  };
}

export default defineConfig({
  test: {
    retry: 0,
    reporters: ['default', './test/support/closing-line.reporter.ts'],
    projects: [
      project('unit'),
      // CDK takes seconds to load, and its tests share nothing that they change.
      project('infra', { timeoutMs: 30_000, isolate: false }),
      project('integration', { engines: true, timeoutMs: 30_000 }),
      project('simulation', { engines: true, timeoutMs: 150_000 }),
      project('local', { timeoutMs: 30_000 }),
      project('security', { timeoutMs: 120_000 }),
      project('e2e', { timeoutMs: 120_000 }),
    ],
  },
});
