import type { SimulatedPartner } from '../actors/partners.ts';
import type { ApiResponse } from '../core/gateway.ts';
import type { World } from '../world.ts';

export interface Stage {
  readonly world: World;
  readonly alpha: SimulatedPartner;
  readonly beta: SimulatedPartner;
  /** One request of a partner, or of the wallet platform, whose time is kept in `requestsMs`. */
  readonly ask: (
    by: SimulatedPartner,
    route: string,
    body?: unknown,
    offerId?: string,
  ) => Promise<ApiResponse>;
  readonly requestsMs: number[];
  readonly sleep: (ms: number) => Promise<void>;
  /** Looks every half second; `false` when it was not so within the time. */
  readonly until: (isSo: () => boolean, withinMs: number) => Promise<boolean>;
}

interface Measured {
  /** Of what the load is about: requests, or callbacks. */
  readonly latenciesMs: readonly number[];
  /** Lost or given up; what a partner refuses is neither. */
  readonly failed: number;
}

export interface Load {
  /** What must be there before; its time and units do not count. */
  readonly prepare?: (stage: Stage) => Promise<void>;
  readonly run: (stage: Stage) => Promise<Measured>;
}
