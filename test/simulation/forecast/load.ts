import type { PartnerLimits } from '../../../shared/partners/partner-limits.ts';
import type { SimulatedPartner } from '../actors/partners.ts';
import type { ApiResponse } from '../core/gateway.ts';
import type { World } from '../world.ts';

export interface Stage {
  readonly world: World;
  readonly alpha: SimulatedPartner;
  readonly beta: SimulatedPartner;
  /** Makes one request of a partner or of the wallet platform, and adds its duration to `requestsMs`. */
  readonly ask: (
    by: SimulatedPartner,
    route: string,
    body?: unknown,
    offerId?: string,
  ) => Promise<ApiResponse>;
  readonly requestsMs: number[];
  readonly sleep: (ms: number) => Promise<void>;
  /** Checks the condition every half second. Returns `false` if it is not met in time. */
  readonly until: (isSo: () => boolean, withinMs: number) => Promise<boolean>;
}

interface Measured {
  /** The latencies of what the load is about: requests or callbacks. */
  readonly latenciesMs: readonly number[];
  /** The latencies of the same requests without the load. */
  readonly aloneMs?: readonly number[];
  /** How many requests or callbacks were lost or given up, plus what a load itself defines as a failure. */
  readonly failed: number;
}

export interface Load {
  /** Limits agreed with alpha. */
  readonly limits?: PartnerLimits;
  /** A load that is so many times smaller than the one it stands for gets a table with so many times less throughput. */
  readonly scale?: number;
  /** Creates what the load needs. Its time and units do not count. */
  readonly prepare?: (stage: Stage) => Promise<void>;
  readonly run: (stage: Stage) => Promise<Measured>;
}
