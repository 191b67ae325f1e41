import type { Operation } from '../../shared/http/operation.ts';

/** What the document says of an operation beyond its schemas. */
export type Documented = {
  operation: Operation;
  tag: 'Service points' | 'Check-ins' | 'Push messages' | 'Promotions' | 'Wallet';
  summary: string;
  description: string;
  requestExample?: unknown;
  responseExample: unknown;
};
