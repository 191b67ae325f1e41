import { expect, test } from 'vitest';
import { refusal } from '../../../shared/platform/egress/address-rules.ts';
import { addressPolicy } from '../../../shared/platform/egress/public-address.ts';
import { callbackTo, publicClient } from './guarded-post.ts';
import { watchSockets } from './watch-sockets.ts';

const noIPv6 = 'must have a name or an IPv4 address, IPv6 is not reached';

const refused: readonly [url: string, sentence: string][] = [
  ['https://2130706433/', 'must be a public address'],
  ['https://0x7f.1/', 'must be a public address'],
  ['https://0x7F000001/', 'must be a public address'],
  ['https://0177.0.0.1/', 'must be a public address'],
  ['https://0177.0x0.0.01/', 'must be a public address'],
  ['https://017700000001/', 'must be a public address'],
  ['https://127.1/', 'must be a public address'],
  ['https://127.0.1/', 'must be a public address'],
  ['https://127.65535/', 'must be a public address'],
  ['https://0/', 'must be a public address'],
  ['https://2852039166/', 'must be a public address'],
  ['https://0xA9FEA9FE/', 'must be a public address'],
  ['https://169.254.43518/', 'must be a public address'],
  ['https://0251.0376.0251.0376/', 'must be a public address'],
  ['https://169.254.169.254./latest/', 'must be a public address'],
  ['https://%31%32%37.0.0.1/', 'must be a public address'],
  ['https://①②⑦.⓪.⓪.①/', 'must be a public address'],
  ['https://127。0。0。1/', 'must be a public address'],
  ['https://[::1]/', noIPv6],
  ['https://[0:0:0:0:0:0:0:1]/', noIPv6],
  ['https://[::ffff:7f00:1]/', noIPv6],
  ['https://[0:0:0:0:0:FFFF:127.0.0.1]/', noIPv6],
  ['https://[::127.0.0.1]/', noIPv6],
  ['https://[64:FF9B::10.0.0.1]/', noIPv6],
  ['https://[2002:C0A8:1::]/', noIPv6],
  ['https:10.0.0.1/', 'must be a public address'],
  ['https:/10.0.0.1/', 'must be a public address'],
  ['https:///10.0.0.1/', 'must be a public address'],
  ['https:\\\\10.0.0.1\\', 'must be a public address'],
  [' \thttps://10.0.0.1/', 'must be a public address'],
  ['ht\ntps://10.0.\n0.1/', 'must be a public address'],
  ['https://@10.0.0.1/', 'must be a public address'],
  ['https://10.0.0.1#@partner.example/', 'must be a public address'],
  ['https://10.0.0.1?@partner.example/', 'must be a public address'],
  ['https://127.0.0.1@partner.example/', 'must not carry credentials'],
  ['https://partner.example@127.0.0.1/', 'must not carry credentials'],
  ['https://partner.example:443@10.0.0.1/', 'must not carry credentials'],
  ['https://partner.example%00:x@10.0.0.1/', 'must not carry credentials'],
  ['https://256.0.0.1/', 'must be an absolute URL, beginning with https://'],
  ['https://1.2.3.4.5/', 'must be an absolute URL, beginning with https://'],
  ['https://0x100000000/', 'must be an absolute URL, beginning with https://'],
  ['https://[fe80::1%25eth0]/', 'must be an absolute URL, beginning with https://'],
  ['https://[::1%lo]/', 'must be an absolute URL, beginning with https://'],
  ['https://[::1/', 'must be an absolute URL, beginning with https://'],
  ['https://partner.example%00.evil.example/', 'must be an absolute URL, beginning with https://'],
  ['https://partner example/', 'must be an absolute URL, beginning with https://'],
  ['https://partner.example:65536/', 'must be an absolute URL, beginning with https://'],
  ['//partner.example/', 'must be an absolute URL, beginning with https://'],
  ['http://partner.example/', 'must begin with https://, no callback is sent without encryption'],
  ['ws://partner.example/', 'must be https'],
  ['wss://partner.example/', 'must be https'],
  ['file:///etc/passwd', 'must be https'],
  ['gopher://10.0.0.1:6379/_FLUSHALL', 'must be https'],
  ['javascript:fetch(1)', 'must be https'],
  ['data:text/plain,x', 'must be https'],
  ['blob:https://partner.example/x', 'must be https'],
  ...[0, 1, 21, 22, 25, 53, 80, 123, 442, 444, 445, 1_023].map((port): [string, string] => [
    `https://partner.example:${port}/`,
    'must have port 443 or a port from 1024 on',
  ]),
];

test.each(refused)('%j is refused at registration: %s', (url, sentence) => {
  expect(refusal(url, addressPolicy('public'))).toBe(sentence);
});

test('none of these spellings opens a socket or looks up a name', async () => {
  expect(refused).toHaveLength(68);
  const opened = watchSockets();
  const client = publicClient(() => Promise.reject(new Error('no name is looked up here')));
  for (const [url] of refused) {
    expect([url, await client.post(callbackTo(url))]).toMatchObject([url, { ok: false, error: 'refused' }]);
  }
  expect(opened).toEqual({ connects: 0, nameQueries: 0 });
});

test.each([
  ['https://partner.example:443/', 'partner.example'],
  ['https://partner.example:/', 'partner.example'],
  ['https://partner.example:1024/', 'partner.example'],
  ['https://partner.example:065535/', 'partner.example'],
  ['HTTPS://PARTNER.Example/', 'partner.example'],
  ['https://partner.example./', 'partner.example.'],
  ['https://münchen.example/', 'xn--mnchen-3ya.example'],
  ['https://XN--MNCHEN-3YA.example/', 'xn--mnchen-3ya.example'],
  ['https://ｐａｒｔｎｅｒ.example/', 'partner.example'],
  ['https://127.0.0.1.nip.example/', '127.0.0.1.nip.example'],
  ['https://localhost.partner.example/', 'localhost.partner.example'],
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
