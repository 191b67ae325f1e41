import { guardedClient, type Resolve } from '../../../shared/callbacks/guarded-client.ts';
import { addressPolicy } from '../../../shared/callbacks/public-address.ts';

/** As in AWS. */
export const publicClient = (resolve?: Resolve) => guardedClient(addressPolicy('public'), resolve);
/** As on a developer's machine: the only one that can reach a server of these tests. */
export const loopbackClient = (resolve?: Resolve) => guardedClient(addressPolicy('loopback-too'), resolve);

export const callbackTo = (url: string, timeoutMs = 5_000) => ({
  url,
  timeoutMs,
  body: '{"state":"DELIVERED"}',
  headers: { 'content-type': 'application/json', authorization: 'Basic d2FsbGV0OnNlY3JldA==' },
});
