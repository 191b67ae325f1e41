import { defineConfig } from 'vitest/config';

/** Each project is one folder of test/: rules are pure and fast, the others stand on real engines. */
const project = (name: string, options: { engines?: boolean; timeoutMs?: number } = {}) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout: options.timeoutMs ?? 10_000,
    hookTimeout: 60_000,
    env: { POWERTOOLS_LOG_LEVEL: process.env['POWERTOOLS_LOG_LEVEL'] ?? 'SILENT' },
    ...(options.engines ? { globalSetup: ['test/support/engines.setup.ts'] } : {}),
  },
});

export default defineConfig({
  test: {
    retry: 0,
    projects: [
      project('rules'),
      project('infra', { timeoutMs: 30_000 }),
      project('functions', { engines: true, timeoutMs: 30_000 }),
      project('local', { timeoutMs: 30_000 }),
      project('flows', { timeoutMs: 120_000 }),
    ],
  },
});
