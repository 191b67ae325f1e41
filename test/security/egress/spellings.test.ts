import { expect, test } from 'vitest';
import { refusal } from '../../../shared/platform/egress/address-rules.ts';
import { guardedClient } from '../../../shared/platform/egress/guarded-client.ts';
import { isOwnAddress } from '../../../shared/platform/egress/own-address.ts';
import { type AddressPolicy, addressPolicy } from '../../../shared/platform/egress/public-address.ts';
import { callbackTo, publicClient } from './guarded-post.ts';
import { watchSockets } from './watch-sockets.ts';

const noIPv6 = 'must have a name or an IPv4 address, IPv6 is not reached';

const needsPort =
  'must begin with https://; http://, which only a local run takes, needs a port from 1024 on';

/** A local run takes more addresses than AWS does. */
const refused: readonly [url: string, sentence: string, policy?: AddressPolicy][] = [
  ['https://2130706433/', 'must be a public address'],
  ['https://0x7f.1/', 'must be a public address'],
  ['https://0177.0.0.1/', 'must be a public address'],
  ['https://127.1/', 'must be a public address'],
  ['https://2852039166/', 'must be a public address'],
  ['https://169.254.169.254./latest/', 'must be a public address'],
  ['https://%31%32%37.0.0.1/', 'must be a public address'],
  ['https://①②⑦.⓪.⓪.①/', 'must be a public address'],
  ['https://[::1]/', noIPv6],
  ['https:10.0.0.1/', 'must be a public address'],
  ['https://10.0.0.1:80/cb', 'must be a public address'],
  [`https://partner.example/${'a'.repeat(2_025)}`, 'must have 2048 characters at most'],
  ['https:\\\\10.0.0.1\\', 'must be a public address'],
  ['ht\ntps://10.0.\n0.1/', 'must be a public address'],
  ['https://@10.0.0.1/', 'must be a public address'],
  ['https://10.0.0.1?@partner.example/', 'must be a public address'],
  ['https://127.0.0.1@partner.example/', 'must not carry credentials'],
  ['https://:pw@partner.example/', 'must not carry credentials'],
  ['https://256.0.0.1/', 'must be an absolute URL, beginning with https://'],
  ['https://[fe80::1%25eth0]/', 'must be an absolute URL, beginning with https://'],
  ['https://partner.example:65536/', 'must be an absolute URL, beginning with https://'],
  ['http://partner.example/', 'must begin with https://, no callback is sent without encryption'],
  ['file:///etc/passwd', 'must be an absolute URL, beginning with https://'],
  ['javascript:fetch(1)', 'must be an absolute URL, beginning with https://'],
  ['localhost:18099/callbacks', 'must be an absolute URL, beginning with https://'],
  ...[0, 22, 80, 442, 444, 1_023].map((port): [string, string] => [
    `https://partner.example:${port}/`,
    'must have port 443 or a port from 1024 on',
  ]),
  ['https://127.0.0.1:22/cb', 'must have port 443 or a port from 1024 on', 'loopback-too'],
  ['http://127.0.0.1/cb', needsPort, 'loopback-too'],
  ['http://example.com/x', needsPort, 'loopback-too'],
  ['http://10.0.0.1:8080/cb', 'must be a public address', 'loopback-too'],
];

test.each(refused)(
  'rule 25: %j is refused at registration and when it is called, without a socket or a look-up: %s',
  async (url, sentence, policy = 'public') => {
    expect(refusal(url, policy)).toBe(sentence);
    const opened = watchSockets();
    const client = guardedClient(policy, () => Promise.reject(new Error('no name is looked up here')));
    expect(await client.post(callbackTo(url))).toMatchObject({ ok: false, error: 'refused' });
    expect(opened).toEqual({ connects: 0, nameQueries: 0 });
  },
);

test.each([
  ['https://partner.example:443/', 'partner.example'],
  ['https://partner.example:1024/', 'partner.example'],
  ['HTTPS://PARTNER.Example/', 'partner.example'],
  ['https://partner.example./', 'partner.example.'],
  ['https://münchen.example/', 'xn--mnchen-3ya.example'],
  ['https://localhost.partner.example/', 'localhost.partner.example'],
  [`https://partner.example/${'a'.repeat(2_024)}`, 'partner.example'],
])('%s is looked up as %s, and the address decides', async (url, name) => {
  const opened = watchSockets();
  const asked: string[] = [];
  const client = publicClient(async (hostname) => {
    asked.push(hostname);
    return ['10.0.0.1'];
  });
  expect(await client.post(callbackTo(url))).toMatchObject({ ok: false, error: 'refused' });
  expect([asked, opened]).toEqual([[name], { connects: 0, nameQueries: 0 }]);
});

test('a policy nobody wrote stops the function at its start', () => {
  expect(() => addressPolicy('anything')).toThrow('unknown CALLBACK_ADDRESSES: anything');
});

const token = 'bars.C2FVsBQIhrscChlQ';
const own = { origins: ['https://api.example', 'http://127.0.0.1:3000'], hasReceivers: false };

test.each([
  ['https://api.example/callbacks/test', true],
  ['https://API.Example:443/', true],
  ['https://api.example./', true],
  ['http://127.0.0.1:3000/callbacks/test', true],
  [`https://api.example/sandbox/callbacks/${token}`, true],
  ['https://api.example:8443/', false],
  ['https://api.example.evil.example/', false],
  ['http://127.0.0.1:4000/', false],
])('rule 51: whether %s is this service: %s', (address, isOwn) => {
  expect(isOwnAddress(address, own)).toBe(isOwn);
});

test('rule 51: where partners have receivers, these are not this service, and everything else is', () => {
  const paths = [token, `${token}/more`, `${token}/../../../callbacks/test`, `${token}%2f..%2ftest`];
  const isOwn = paths.map((path) =>
    isOwnAddress(`https://api.example/sandbox/callbacks/${path}`, { ...own, hasReceivers: true }),
  );
  expect(isOwn).toEqual([false, true, true, true]);
});
