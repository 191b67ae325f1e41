import type { Outcome } from './client.ts';
import type { SimulatedPartner } from './partners.ts';

/** One request of area C, and what its sender knows of it. */
export type PushRequest = {
  partner: SimulatedPartner;
  /** The text of every push of the request contains this. */
  marker: string;
  msisdns: readonly number[];
  /** The time until which the message to each number may be shown. */
  deadlines: readonly (number | undefined)[];
  /** True if several messages to the same number count separately. */
  isMulti: boolean;
  outcome: Outcome;
  /** The elements of a 200 response; empty for any other. */
  elements: readonly {
    msisdn: number;
    messageId: string;
    state: string;
  }[];
};
