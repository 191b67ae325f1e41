import type { Faults } from './faults.ts';
import type { EventLog } from './log.ts';
import type { Rng } from './rng.ts';
import type { Time } from './time.ts';

/** What everything in a run shares. */
export interface RunParts {
  readonly time: Time;
  readonly rng: Rng;
  readonly faults: Faults;
  readonly log: EventLog;
}
