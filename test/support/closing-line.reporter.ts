import type { Reporter, TestModule } from 'vitest/node';

/**
 * Prints `N passed, N failed` alone as the last line of a run, for programs that read only that line. Failures outside
 * tests (a file that does not load, a hook, a stray rejection) count as failed, too.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, strayErrors: ReadonlyArray<unknown>): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;

    const failed =
      count('failed') + suites.filter((suite) => suite.errors().length > 0).length + strayErrors.length;
    const skipped = count('skipped');
    const line = `${count('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    // The line is printed at exit, so that no other reporter's summary follows it.
    process.once('exit', () => process.stdout.write(`${line}\n`));
  }
}
