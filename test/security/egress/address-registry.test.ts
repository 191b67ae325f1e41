import { expect, test } from 'vitest';
import { addressPolicy, mayConnectTo } from '../../../shared/platform/egress/public-address.ts';

const everywhere = addressPolicy('public');
const local = addressPolicy('loopback-too');

/**
 * IANA's IPv4 special-purpose registry and multicast: the first and the last address of each block, and the public
 * addresses just before and after it. Smaller blocks inside of these are left out.
 */
const blocks: [name: string, first: string, last: string, ...publicNeighbours: string[]][] = [
  ['this network', '0.0.0.0', '0.255.255.255', '1.0.0.0'],
  ['private use', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['shared address space', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['loopback', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['link local', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['private use', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['protocol assignments', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['documentation', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['AS112', '192.31.196.0', '192.31.196.255', '192.31.195.255', '192.31.197.0'],
  ['AMT', '192.52.193.0', '192.52.193.255', '192.52.192.255', '192.52.194.0'],
  ['6to4 relay anycast', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['private use', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['AS112 delegation', '192.175.48.0', '192.175.48.255', '192.175.47.255', '192.175.49.0'],
  ['benchmarking', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['documentation', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['documentation', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['multicast', '224.0.0.0', '239.255.255.255', '223.255.255.255'],
  ['reserved', '240.0.0.0', '255.255.255.255'],
];

/** Functions reach no IPv6 address, whatever it is: public, loopback, private, or one that contains 10.0.0.1. */
const ipv6 = [
  '2606:4700::1111',
  '::1',
  'fd00:ec2::254',
  'fe80::1',
  '::ffff:10.0.0.1',
  '::ffff:a00:1',
  '64:ff9b::a00:1',
  '2002:a00:1::1',
];

test.each(blocks)(
  '%s, from %s to %s, is refused, and its neighbors are public',
  (_name, first, last, ...publics) => {
    const all = [first, last, ...publics];
    expect(all.filter((address) => mayConnectTo(address, everywhere))).toEqual(publics);
  },
);

test.each(ipv6)('%s is refused', (address) => {
  expect(mayConnectTo(address, everywhere)).toBe(false);
});

test('on a local stage only 127.0.0.0/8 and ::1 are let through, and no address with a zone', () => {
  const all = [...blocks.flatMap(([, first, last]) => [first, last]), ...ipv6, '::1%lo', '8.8.8.8%1'];
  expect(all.filter((address) => mayConnectTo(address, local))).toEqual([
    '127.0.0.0',
    '127.255.255.255',
    '::1',
  ]);
});
