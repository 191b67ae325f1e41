import { expect, test } from 'vitest';
import { refusal } from '../../../shared/platform/egress/address-rules.ts';
import { addressPolicy, mayConnectTo } from '../../../shared/platform/egress/public-address.ts';

const everywhere = addressPolicy('public');
const local = addressPolicy('loopback-too');
const noIPv6 = 'must have a name or an IPv4 address, IPv6 is not reached';

test.each([
  '0.0.0.0',
  '0.255.255.255',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.0.170',
  '192.0.2.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.168.0.1',
  '192.175.48.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::2',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:a00:1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '::ffff:0:7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:0:7f00:1::',
  '2001:2::1',
  '2001:3::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '2620:4f:8000::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  'ff0e::1',
  '4000::1',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2a00:1450:4010::1',
  '2606:4700::1111',
  'fe80::1%eth0',
  'localhost',
  '',
  '8.8.8',
  '010.0.0.1',
])('rule 25: no socket may connect to %s', (address) => {
  expect(mayConnectTo(address, everywhere)).toBe(false);
});

test.each([
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '203.0.112.255',
  '223.255.255.255',
])('%s is public', (address) => {
  expect(mayConnectTo(address, everywhere)).toBe(true);
});

test('a local stage may reach loopback, and still nothing else inside', () => {
  const reached = [
    '127.0.0.1',
    '127.9.9.9',
    '::1',
    '10.0.0.1',
    '169.254.169.254',
    '::ffff:127.0.0.1',
    'fd00::1',
  ];
  expect(reached.map((address) => mayConnectTo(address, local))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

test.each([
  ['http://partner.example/cb', 'must begin with https://, no callback is sent without encryption'],
  ['ftp://partner.example/cb', 'must be https'],
  ['/cb', 'must be an absolute URL, beginning with https://'],
  ['https://', 'must be an absolute URL, beginning with https://'],
  [`https://partner.example/${'a'.repeat(2_048)}`, 'must have 2048 characters at most'],
  ['https://login@partner.example/cb', 'must not carry credentials'],
  ['https://:secret@partner.example/cb', 'must not carry credentials'],
  ['https://partner.example:80/cb', 'must have port 443 or a port from 1024 on'],
  ['https://partner.example:22/cb', 'must have port 443 or a port from 1024 on'],
  ['https://partner.example:1023/cb', 'must have port 443 or a port from 1024 on'],
  ['https://partner.example:0/cb', 'must have port 443 or a port from 1024 on'],
  ['http://10.0.0.1/cb', 'must begin with https://, no callback is sent without encryption'],
  ['https://10.0.0.1:80/cb', 'must be a public address'],
  ['https://127.0.0.1/cb', 'must be a public address'],
  ['https://2130706433/cb', 'must be a public address'],
  ['https://0x7f000001/cb', 'must be a public address'],
  ['https://0177.0.0.1/cb', 'must be a public address'],
  ['https://127.1/cb', 'must be a public address'],
  ['https://127.0.0.1./cb', 'must be a public address'],
  ['https://１２７.0.0.1/cb', 'must be a public address'],
  ['https://169.254.169.254/latest/meta-data', 'must be a public address'],
  ['https://[2606:4700::1111]:8443/cb', noIPv6],
  ['https://[::1]/cb', noIPv6],
  ['https://[::ffff:127.0.0.1]/cb', noIPv6],
  ['https://[::ffff:8.8.8.8]/cb', noIPv6],
  ['https://[64:ff9b::169.254.169.254]/cb', noIPv6],
  ['https://[2002:a9fe:a9fe::]/cb', noIPv6],
])('rule 25: %s is refused: %s', (address, sentence) => {
  expect(refusal(address, everywhere)).toBe(sentence);
});

test.each([
  'https://partner.example/cb',
  'https://partner.example:443/cb',
  'https://partner.example:1024/cb?key=1',
  'https://8.8.8.8/cb',
])('%s may be called', (address) => {
  expect(refusal(address, everywhere)).toBeUndefined();
});

test('http and loopback are for local stages, and even there not the low ports', () => {
  expect(refusal('http://127.0.0.1:8080/cb', local)).toBeUndefined();
  expect(refusal('https://127.0.0.1:22/cb', local)).toBe('must have port 443 or a port from 1024 on');
  for (const address of ['http://127.0.0.1/cb', 'http://example.com/x'])
    expect(refusal(address, local)).toBe(
      'must begin with https://; http://, which only a local run takes, needs a port from 1024 on',
    );
  expect(refusal('http://10.0.0.1/cb', local)).toBe('must be a public address');
  expect(refusal('http://10.0.0.1:8080/cb', local)).toBe('must be a public address');
});

test('a policy nobody wrote stops the function at its start', () => {
  expect(() => addressPolicy('anything')).toThrow('unknown CALLBACK_ADDRESSES: anything');
});

const receiver = '/sandbox/callbacks/bars.C2FVsBQIhrscChlQ';
const gateway = 'abc123.execute-api.eu-central-1.amazonaws.com';

test.each([
  [`https://${gateway}`, everywhere, undefined],
  [`http://${gateway}`, everywhere, 'must begin with https://, no callback is sent without encryption'],
  [`https://bars:secret@${gateway}`, everywhere, 'must not carry credentials'],
  ['https://127.0.0.1:3000', everywhere, 'must be a public address'],
  ['https://[::1]:3000', everywhere, noIPv6],
  ['https://169.254.169.254', everywhere, 'must be a public address'],
  ['https://10.0.0.1', everywhere, 'must be a public address'],
  ['https://2130706433', everywhere, 'must be a public address'],
  ['http://127.0.0.1:3000', local, undefined],
  ['http://10.0.0.1:3000', local, 'must be a public address'],
])("the path of a sandbox's receiver is no exception: %s", (origin, policy, reason) => {
  expect(refusal(`${origin}${receiver}`, policy)).toBe(reason);
});

test('what a private endpoint of the gateway resolves to in a VPC is not connected to', () => {
  expect(mayConnectTo('10.0.17.4', everywhere)).toBe(false);
});
