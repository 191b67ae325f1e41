import { expect, test } from 'vitest';
import { refusal } from '../../../shared/platform/egress/address-rules.ts';
import { addressPolicy, mayConnectTo } from '../../../shared/platform/egress/public-address.ts';
import { edgesOf } from './address-block.ts';
import { callbackTo, publicClient } from './guarded-post.ts';
import { specialIPv4, specialIPv6 } from './special-purpose.ts';
import { watchSockets } from './watch-sockets.ts';

const everywhere = addressPolicy('public');
const local = addressPolicy('loopback-too');
const blocks = [...specialIPv4, ...specialIPv6];

function urlOf(address: string) {
  return `https://${address.includes(':') ? `[${address}]` : address}/callback`;
}

function refusalOf(address: string) {
  const isIPv6 = address.includes(':');
  return isIPv6 ? 'must have a name or an IPv4 address, IPv6 is not reached' : 'must be a public address';
}

test('the edges of a block are its first, its middle and its last address', () => {
  expect(edgesOf('172.16.0.0/12')).toEqual(['172.16.0.0', '172.24.0.0', '172.31.255.255']);
  expect(edgesOf('2001:db8::/32')).toEqual([
    '2001:db8:0:0:0:0:0:0',
    '2001:db8:8000:0:0:0:0:0',
    '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
  ]);
  expect(edgesOf('192.0.0.9/32')).toEqual(['192.0.0.9']);
});

test.each(blocks)('$cidr ($name, $source) is refused from its first to its last address', ({ cidr }) => {
  for (const address of edgesOf(cidr)) {
    expect([address, mayConnectTo(address, everywhere)]).toEqual([address, false]);
    expect([address, refusal(urlOf(address), everywhere)]).toEqual([address, refusalOf(address)]);
  }
});

test.each(blocks.filter(({ publicNeighbours }) => publicNeighbours))(
  'the addresses just outside $cidr ($name) are public',
  ({ publicNeighbours = [] }) => {
    for (const address of publicNeighbours) {
      expect([address, mayConnectTo(address, everywhere)]).toEqual([address, true]);
      expect([address, refusal(urlOf(address), everywhere)]).toEqual([address, undefined]);
    }
  },
);

test('on a local stage only 127.0.0.0/8 and ::1 are let through', () => {
  const reached = blocks.filter(({ cidr }) => edgesOf(cidr).some((each) => mayConnectTo(each, local)));
  expect(reached.map(({ cidr }) => cidr)).toEqual(['127.0.0.0/8']);
  expect([mayConnectTo('::1', local), mayConnectTo('::1', everywhere)]).toEqual([true, false]);
});

test('no address of any block gets a socket, neither in the URL nor behind a name', async () => {
  const addresses = [...new Set(blocks.flatMap(({ cidr }) => edgesOf(cidr)))];
  expect(addresses).toHaveLength(148);
  const opened = watchSockets();
  for (const address of addresses) {
    const named = publicClient(async () => [address]);
    expect([
      address,
      await publicClient().post(callbackTo(urlOf(address))),
      await named.post(callbackTo('https://partner.example/callback')),
    ]).toMatchObject([address, { ok: false, error: 'refused' }, { ok: false, error: 'refused' }]);
  }
  expect(opened).toEqual({ connects: 0, nameQueries: 0 });
});

const inside = ['10.0.0.1', '127.0.0.1', '169.254.169.254', '172.16.0.1', '192.168.0.1', '100.64.0.1'];

function hex(address: string): [string, string] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
}

function inverted(group: string) {
  return (0xffff - Number.parseInt(group, 16)).toString(16);
}

test.each<[string, (high: string, low: string) => string]>([
  ['mapped', (high, low) => `::ffff:${high}:${low}`],
  ['compatible', (high, low) => `::${high}:${low}`],
  ['translated', (high, low) => `::ffff:0:${high}:${low}`],
  ['NAT64', (high, low) => `64:ff9b::${high}:${low}`],
  ['NAT64 of one network', (high, low) => `64:ff9b:1::${high}:${low}`],
  ['6to4', (high, low) => `2002:${high}:${low}::1`],
  ['Teredo server', (high, low) => `2001:0:${high}:${low}::1`],
  ['Teredo client', (high, low) => `2001:0:808:808:0:0:${inverted(high)}:${inverted(low)}`],
])('a private IPv4 address in the %s form is refused', (_form, embed) => {
  for (const address of inside) {
    const embedded = embed(...hex(address));
    expect([embedded, mayConnectTo(embedded, everywhere), mayConnectTo(embedded, local)]).toEqual([
      embedded,
      false,
      false,
    ]);
    expect(refusal(urlOf(embedded), everywhere)).toBe(refusalOf(embedded));
  }
});

test('an address with a zone is refused, whatever comes before the zone', () => {
  const zoned = ['2606:4700::1111%eth0', '2606:4700::1111%1', 'fe80::1%eth0', '::1%lo', '8.8.8.8%1'];
  expect(zoned.map((address) => mayConnectTo(address, local))).toEqual([false, false, false, false, false]);
});
