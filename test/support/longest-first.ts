import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest. One that begins when all others have ended would keep one processor busy, and the other not. */
const longest = [
  'test/security/access-control/shared-service.test.ts',
  'test/e2e/console/callbacks.test.ts',
  'test/e2e/smoke.test.ts',
  'test/integration/costs/operation-costs.test.ts',
  'test/e2e/console/service-points.test.ts',
  'test/e2e/console/console.test.ts',
  'test/e2e/console/every-page.test.ts',
  'test/e2e/console/messages.test.ts',
  'test/simulation/simulation.test.ts',
  'test/e2e/crash.test.ts',
];

/** On a fresh clone Vitest begins with the largest files, because it knows no times. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => longest.some((file) => moduleId.endsWith(file));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
