import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { keepDataInMemory } from './test/support/memory.ts';

keepDataInMemory();
// The SDK, the CDK, bundles and programs are loaded by many processes and threads, and compiled once.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'partner-integration-compiled');

type Options = { globalSetup?: string; timeoutMs?: number; order?: Order };

/** Projects with another number of workers have another place in the order. */
type Order = { sequence: { groupOrder: number }; maxWorkers: number };

/** One worker loads the CDK and synthesizes each stage once, before the others begin; three would each take 6 s for that. */
const inOneWorker: Order = { sequence: { groupOrder: 0 }, maxWorkers: 1 };
// Vitest leaves one CPU free. Half the files wait for the service or a browser, longer than they compute.
const inMoreWorkers: Order = { sequence: { groupOrder: 1 }, maxWorkers: availableParallelism() + 1 };

/**
 * Each project is one folder of test/: unit tests are pure and fast, the others run on real engines. Without isolation
 * the files of a worker load our code, the SDK and the CDK once: they share nothing that they change.
 */
function project(name: string, options: Options = {}) {
  return {
    test: {
      name,
      include: [`test/${name}/**/*.test.ts`],
      testTimeout: options.timeoutMs ?? 10_000,
      hookTimeout: 120_000,
      isolate: false,
      expect: { poll: { timeout: 10_000 } },
      ...(options.order ?? inMoreWorkers),
      env: { POWERTOOLS_LOG_LEVEL: process.env['POWERTOOLS_LOG_LEVEL'] ?? 'SILENT' },
      ...(options.globalSetup ? { globalSetup: [`test/support/${options.globalSetup}.setup.ts`] } : {}),
    },
  };
}

export default defineConfig({
  test: {
    retry: 0,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/support/closing-line.reporter.ts'],
    projects: [
      project('unit'),
      project('infra', { timeoutMs: 60_000, order: inOneWorker }),
      project('integration', { globalSetup: 'engines', timeoutMs: 30_000 }),
      project('simulation', { timeoutMs: 150_000 }),
      project('local', { timeoutMs: 30_000 }),
      project('security', { timeoutMs: 120_000 }),
      project('e2e', { globalSetup: 'shared-services', timeoutMs: 120_000 }),
    ],
  },
});
