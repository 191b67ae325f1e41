import type { Calls } from './calls.ts';
import type { QueueModels } from './queues.ts';
import type { Receiver } from './receiver.ts';
import type { RunParts } from './run-parts.ts';
import type { SimulatedTable } from './table-engine.ts';

/** What the replaced modules of the service need of the run that is under way. One run at a time in a process. */
export interface Current extends RunParts {
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
