import type { AttemptResult } from '../../../shared/platform/egress/attempt-result.ts';
import type { SignedRequest } from '../../../shared/platform/egress/signed-request.ts';
import type { Calls } from './calls.ts';
import type { Capacity } from './capacity.ts';
import type { Permissions } from './permissions.ts';
import type { QueueModels } from './queues.ts';
import type { RunParts } from './run-parts.ts';
import type { SimulatedTable } from './table-engine.ts';

/** What the replaced modules of the service need of the run that is under way. */
interface Current extends RunParts {
  readonly call: Calls;
  readonly capacity: Capacity;
  readonly permissions: Permissions;
  /** Calls that a role did not allow. */
  readonly forbidden: Set<string>;
  readonly table: SimulatedTable;
  readonly queues: QueueModels;
  readonly receive: (request: SignedRequest) => Promise<AttemptResult>;
}

/** One run at a time in a process. */
export let theRun: Current;

export function setCurrent(run: Current): void {
  theRun = run;
}
