import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { AttemptFailed } from './attempt-result.ts';
import { type AddressPolicy, mayConnectTo } from './public-address.ts';

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** Resolves a name; fails unless every one of its addresses may be connected to. */
export function guardedLookup(policy: AddressPolicy, resolve: Resolve): LookupFunction {
  return (hostname, { all }, callback) => {
    const response = (addresses: string[]) => {
      const [first] = addresses;
      if (first === undefined) return callback(new AttemptFailed('dns'), '', 0);
      if (!addresses.every((address) => mayConnectTo(address, policy)))
        return callback(new AttemptFailed('refused'), '', 0);
      if (all)
        return callback(
          null,
          addresses.map((address) => ({ address, family: familyOf(address) })),
        );
      callback(null, first, familyOf(first));
    };
    resolve(hostname).then(response, (error: unknown) => callback(new AttemptFailed('dns', error), '', 0));
  };
}

function familyOf(address: string): 4 | 6 {
  return address.includes(':') ? 6 : 4;
}

/**
 * Queries DNS directly. `dns.lookup` would occupy one of the process's four worker threads while a dead name
 * server makes it wait, and delay the lookups of all other partners.
 */
export function systemResolve(): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return async (hostname) => {
    // Not sent to DNS (RFC 6761).
    if (/(^|\.)localhost\.?$/.test(hostname)) return ['127.0.0.1'];
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    return [v4, v6].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  };
}
