import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { AttemptFailed } from './attempt-result.ts';
import { type AddressPolicy, mayConnectTo } from './public-address.ts';

/** All IPv4 addresses of a name. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** Resolves a name; fails unless every one of its addresses may be connected to. */
export function guardedLookup(policy: AddressPolicy, resolve: Resolve): LookupFunction {
  return (hostname, { all }, callback) => {
    const passAddresses = (addresses: string[]) => {
      const [first] = addresses;
      if (first === undefined) return callback(new AttemptFailed('no-ipv4'), '', 0);
      if (!addresses.every((address) => mayConnectTo(address, policy)))
        return callback(new AttemptFailed('refused'), '', 0);
      if (!all) return callback(null, first, 4);
      const found = addresses.map((address) => ({ address, family: 4 }));
      callback(null, found);
    };
    resolve(hostname).then(passAddresses, (error: unknown) =>
      callback(new AttemptFailed('dns', error), '', 0),
    );
  };
}

/**
 * Queries DNS directly. `dns.lookup` would occupy one of the process's four worker threads while a dead name
 * server makes it wait, and delay the lookups of all other partners. `servers` replaces the system's name servers.
 */
export function systemResolve(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers) resolver.setServers(servers);
  return async (hostname) => {
    // Not sent to DNS (RFC 6761).
    if (/(^|\.)localhost\.?$/.test(hostname)) return ['127.0.0.1'];
    return resolver.resolve4(hostname).catch((error: NodeJS.ErrnoException) => {
      // The name exists, perhaps with IPv6 addresses.
      if (error.code === 'ENODATA') return [];
      throw error;
    });
  };
}
