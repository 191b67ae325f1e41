import { BlockList, isIPv4, isIPv6 } from 'node:net';

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

/**
 * In IPv6 only 2000::/3 is assigned as public, and these parts of it are special. All forms that contain an IPv4
 * address are outside it (mapped, compatible, translated, NAT64) or listed (Teredo in 2001::/23, 6to4).
 */
const publicIPv6: readonly [string, number] = ['2000::', 3];
const specialIPv6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

function listOf(family: 'ipv4' | 'ipv6', ranges: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, family);
  return list;
}

const lists = {
  specialIPv4: listOf('ipv4', specialIPv4),
  publicIPv6: listOf('ipv6', [publicIPv6]),
  specialIPv6: listOf('ipv6', specialIPv6),
  loopbackIPv4: listOf('ipv4', [['127.0.0.0', 8]]),
  loopbackIPv6: listOf('ipv6', [['::1', 128]]),
};

/** Whether a socket may connect to the address: public unicast, or loopback where the policy allows it. */
export function mayConnectTo(address: string, policy: AddressPolicy): boolean {
  if (isIPv4(address)) {
    if (policy === 'loopback-too' && lists.loopbackIPv4.check(address, 'ipv4')) return true;
    return !lists.specialIPv4.check(address, 'ipv4');
  }
  // Node accepts an IPv6 address with a zone, which means a network of this machine.
  if (!isIPv6(address) || address.includes('%')) return false;
  if (policy === 'loopback-too' && lists.loopbackIPv6.check(address, 'ipv6')) return true;
  return lists.publicIPv6.check(address, 'ipv6') && !lists.specialIPv6.check(address, 'ipv6');
}
