import type { Entry } from '../ledger.ts';
import type { Action } from '../plan.ts';
import type { Rows } from '../world.ts';

/** Somebody who uses the service, and knows what must have come of it. */
export interface Actor {
  readonly does: Partial<Record<Action['kind'], (action: Action) => Promise<void>>>;
  /** When all is quiet: compares what happened with what should have. */
  readonly ledger: (rows: Rows) => Promise<readonly Entry[]> | readonly Entry[];
}
