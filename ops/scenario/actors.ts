import type { Caller } from './client.ts';

export interface Actors {
  readonly partner: Caller;
  /** Absent where it is simulated, and nothing but the partner's key is used. */
  readonly wallet?: Caller;
  /** Another partner, which tries to redeem a check-in that is not its own. */
  readonly other?: Caller;
  /** Where the partner's callbacks arrive; without it none are expected. */
  readonly receiver?: Caller;
  /** The wallet platform is simulated: the partner may have phones and a receiver of its own. */
  readonly sandbox?: boolean;
}
