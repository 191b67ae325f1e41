import type { createFaults } from './faults.ts';
import type { Rng } from './rng.ts';
import type { createEventLog, createTime } from './time.ts';

export interface RunParts {
  readonly time: ReturnType<typeof createTime>;
  readonly rng: Rng;
  readonly faults: ReturnType<typeof createFaults>;
  readonly log: ReturnType<typeof createEventLog>;
}
