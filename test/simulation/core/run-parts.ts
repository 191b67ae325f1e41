import type { createFaults } from './faults.ts';
import type { Rng } from './rng.ts';
import type { createEventLog, createTime } from './time.ts';

export type RunParts = {
  time: ReturnType<typeof createTime>;
  rng: Rng;
  faults: ReturnType<typeof createFaults>;
  log: ReturnType<typeof createEventLog>;
};
