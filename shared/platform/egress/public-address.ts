import { BlockList, isIPv4 } from 'node:net';

/**
 * Which addresses may be called (CALLBACK_ADDRESSES): `public` in deployed stages (rule 25), and `loopback-too`, also
 * without TLS, on a developer's machine and in tests.
 */
export type AddressPolicy = 'public' | 'loopback-too';

export function addressPolicy(name: string): AddressPolicy {
  if (name !== 'public' && name !== 'loopback-too') throw new Error(`unknown CALLBACK_ADDRESSES: ${name}`);
  return name;
}

/** The IPv4 special-purpose registry of IANA, multicast, and the reserved range at the end. */
const specialIPv4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

const special = new BlockList();
for (const [network, prefix] of specialIPv4) special.addSubnet(network, prefix);

/**
 * Whether a socket may connect to the address: public unicast over IPv4, or loopback where the policy allows it. Lambda
 * reaches no IPv6 address from outside a VPC (https://aws.amazon.com/blogs/compute/aws-lambda-networking-over-ipv6).
 */
export function mayConnectTo(address: string, policy: AddressPolicy): boolean {
  if (policy === 'loopback-too' && address === '::1') return true;
  if (!isIPv4(address)) return false;
  return !special.check(address) || (policy === 'loopback-too' && address.startsWith('127.'));
}
