import type { Outcome } from './client.ts';
import type { SimulatedPartner } from './partners.ts';

/** One request of area C, and what its sender knows of it. */
export interface PushRequest {
  readonly partner: SimulatedPartner;
  /** The text of every push of the request contains this. */
  readonly marker: string;
  readonly msisdns: readonly number[];
  /** The time until which the message to each number may be shown. */
  readonly deadlines: readonly (number | undefined)[];
  /** True if several messages to the same number count separately. */
  readonly isMulti: boolean;
  readonly outcome: Outcome;
  /** The elements of a 200 response; empty for any other. */
  readonly elements: readonly {
    readonly msisdn: number;
    readonly messageId: string;
    readonly state: string;
  }[];
}
