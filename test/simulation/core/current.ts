import type { Calls } from './calls.ts';
import type { Faults } from './faults.ts';
import type { EventLog } from './log.ts';
import type { QueueModels } from './queues.ts';
import type { Receiver } from './receiver.ts';
import type { Rng } from './rng.ts';
import type { SimulatedTable } from './table-engine.ts';
import type { Time } from './time.ts';

/** What the replaced modules of the service need of the run that is under way. One run at a time in a process. */
export interface Current {
  readonly time: Time;
  readonly rng: Rng;
  readonly faults: Faults;
  readonly log: EventLog;
  readonly call: Calls;
  readonly table: SimulatedTable;
  readonly queues: QueueModels;
  readonly receive: Receiver;
}

let current: Current | undefined;

export function setCurrent(run: Current): void {
  current = run;
}

export function theRun(): Current {
  if (!current) throw new Error('no run is under way');
  return current;
}
