import { guardedClient } from '../../../shared/platform/egress/guarded-client.ts';
import type { Resolve } from '../../../shared/platform/egress/guarded-lookup.ts';
import { addressPolicy } from '../../../shared/platform/egress/public-address.ts';

/** Returns the client as it is in AWS. */
export function publicClient(resolve?: Resolve) {
  return guardedClient(addressPolicy('public'), resolve);
}

/** Returns the client as it is on a developer's machine. Only this one can reach the servers of these tests. */
export function loopbackClient(resolve?: Resolve) {
  return guardedClient(addressPolicy('loopback-too'), resolve);
}

export function callbackTo(url: string, timeoutMs = 5_000) {
  return {
    url,
    timeoutMs,
    body: '{"state":"DELIVERED"}',
    headers: { 'content-type': 'application/json', authorization: 'Basic d2FsbGV0OnNlY3JldA==' },
  };
}
