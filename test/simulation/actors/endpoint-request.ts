import type { Endpoint } from '../../../shared/callbacks/endpoint/endpoint.ts';
import type { CallbackStatus } from '../../../shared/callbacks/rows/callback-store.ts';
import type { Outcome } from './client.ts';

export type AskedSettings = { [Name in keyof Endpoint]?: unknown };
type Selection = { status: CallbackStatus } | { messageIds: readonly string[] };

export type Asked = {
  route: string;
  /** The request asks for this: settings, that the endpoint is deleted, or a replay of callbacks. */
  settings?: AskedSettings | 'deleted';
  selection?: Selection;
};

/**
 * A request of a partner about its endpoint. It takes effect at some moment of its time, before or after others that are
 * made meanwhile, unlike the changes of a `createSetting`, which follow each other.
 */
export type EndpointRequest = Asked & {
  from: number;
  to: number;
  outcome?: Outcome;
};
