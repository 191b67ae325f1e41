import type { Caller } from './client.ts';

export interface Actors {
  readonly partner: Caller;
  readonly wallet: Caller;
  /** Another partner, which tries to redeem a check-in that is not its own. */
  readonly other?: Caller;
  /** Where the partner's callbacks arrive; without it none are expected. */
  readonly receiver?: Caller;
}
