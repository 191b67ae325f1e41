import type { Operation } from '../../shared/platform/http/operation.ts';

/** The parts of an operation's documentation beyond its schemas. */
export type Documented = {
  operation: Operation;
  tag:
    | 'Service points'
    | 'Check-ins'
    | 'Push messages'
    | 'Promotions'
    | 'Events'
    | 'Keys'
    | 'Callbacks'
    | 'Wallet'
    | 'Sandbox';
  summary: string;
  description: string;
  /** Headers of the success beyond those that every operation has. */
  responseHeaders?: readonly ('ratelimit' | 'ratelimit-policy' | 'retry-after')[];
  /** Adds the calls to the partner's endpoint. Only one operation has this, as generators would repeat them. */
  requestsCallbacks?: true;
  requestExample?: unknown;
  responseExample: unknown;
  /** An example of the CSV, for operations that can respond with CSV, too. */
  csvExample?: string;
};
