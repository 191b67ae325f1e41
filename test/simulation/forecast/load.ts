import type { PartnerLimits } from '../../../shared/partners/partner-limits.ts';
import type { SimulatedPartner } from '../actors/partners.ts';
import type { ApiResponse } from '../core/gateway.ts';
import type { World } from '../world.ts';

export type Stage = {
  world: World;
  alpha: SimulatedPartner;
  beta: SimulatedPartner;
  /** Makes one request of a partner or of the wallet platform, and adds its duration to `requestsMs`. */
  ask: (by: SimulatedPartner, route: string, body?: unknown, offerId?: string) => Promise<ApiResponse>;
  requestsMs: number[];
  sleep: (ms: number) => Promise<void>;
  /** Checks the condition every half second. Returns `false` if it is not met in time. */
  until: (isSo: () => boolean, withinMs: number) => Promise<boolean>;
};

type Measured = {
  /** The latencies of what the load is about: requests or callbacks. */
  latenciesMs: readonly number[];
  /** The latencies of the same requests without the load. */
  aloneMs?: readonly number[];
  /** How many requests or callbacks were lost or given up, plus what a load itself defines as a failure. */
  failed: number;
};

export type Load = {
  /** Limits agreed with alpha. */
  limits?: PartnerLimits;
  /** A load that is so many times smaller than the one it stands for gets a table with so many times less throughput. */
  scale?: number;
  /** Creates what the load needs. Its time does not count. */
  prepare?: (stage: Stage) => Promise<void>;
  run: (stage: Stage) => Promise<Measured>;
};
