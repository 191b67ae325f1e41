import type { Operation } from '../../shared/platform/http/operation.ts';

/** What the document says of an operation beyond its schemas. */
export type Documented = {
  operation: Operation;
  tag:
    | 'Service points'
    | 'Check-ins'
    | 'Push messages'
    | 'Promotions'
    | 'Keys'
    | 'Callbacks'
    | 'Wallet'
    | 'Sandbox';
  summary: string;
  description: string;
  /** Headers of the success beyond those that every operation has. */
  responseHeaders?: readonly ('ratelimit' | 'ratelimit-policy' | 'retry-after')[];
  /** Describes the calls to the partner's endpoint; one operation does, as generators would repeat them. */
  requestsCallbacks?: true;
  requestExample?: unknown;
  responseExample: unknown;
  /** Where the operation answers CSV too. */
  csvExample?: string;
};
