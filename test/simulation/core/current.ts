import type { Roles } from '../../../local/template/roles.ts';
import type { AttemptResult } from '../../../shared/platform/egress/attempt-result.ts';
import type { SignedRequest } from '../../../shared/platform/egress/signed-request.ts';
import type { KeptRows } from '../kept-rows.ts';
import type { Calls } from './calls.ts';
import type { Capacity } from './capacity.ts';
import type { QueueModels } from './queues.ts';
import type { RunParts } from './run-parts.ts';
import type { SimulatedTable } from './table-engine.ts';

/** The parts of the current run that the stand-ins for modules of the service need. */
type Current = RunParts & {
  call: Calls;
  capacity: Capacity;
  roles: Roles;
  /** Calls that were refused because no role allows them, and functions that ended before their calls. */
  forbidden: Set<string>;
  /** The fields and metrics of log lines: `ProcessSync partnerId`. */
  logged: Set<string>;
  /** The sum of each metric over all lines. */
  measured: Map<string, number>;
  kept: KeptRows;
  table: SimulatedTable;
  queues: QueueModels;
  receive: (request: SignedRequest) => Promise<AttemptResult>;
};

/** A process makes one run at a time. */
export let theRun: Current;

export function setCurrent(run: Current): void {
  theRun = run;
}
