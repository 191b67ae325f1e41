import { setDefaultCACertificates } from 'node:tls';
import { beforeAll, expect, test } from 'vitest';
import { type Certificate, selfSigned } from './certificate.ts';
import { callbackTo, loopbackClient } from './guarded-post.ts';
import { says, tcpServer, tlsServer } from './loopback-servers.ts';

const trusted = selfSigned('partner.example');
const expired = selfSigned('partner.example', { notAfter: '210101000000Z' });
const unknown = selfSigned('partner.example');
const wildcard = selfSigned('*.partner.example');

// From here on, Node trusts these certificates as if well-known authorities had issued them.
beforeAll(() => setDefaultCACertificates([trusted.cert, expired.cert, wildcard.cert]));

function client() {
  return loopbackClient(async () => ['127.0.0.1']);
}

/** Starts a server that records which name the client sent and how many requests it got. */
async function partner(certificate: Certificate, options: object = {}) {
  const seen = { serverName: '', requests: 0 };
  const port = await tlsServer({ ...certificate, ...options }, (socket) => {
    seen.serverName = String((socket as { servername?: unknown }).servername);
    socket.on('data', () => {
      seen.requests += 1;
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    });
  });
  return { port, seen };
}

test.each([
  ['the name itself', trusted, 'partner.example'],
  ['a name that ends in a dot', trusted, 'partner.example.'],
  ['a name one level below a wildcard', wildcard, 'api.partner.example'],
])('a certificate of an authority, for %s, is good', async (_what, certificate, name) => {
  const { port, seen } = await partner(certificate);
  expect(await client().post(callbackTo(`https://${name}:${port}/`))).toMatchObject({ ok: true });
  expect(seen).toMatchObject({ requests: 1 });
});

test.each([
  ['that nobody issued', unknown, 'partner.example', {}],
  ['for another name', trusted, 'bakery.example', {}],
  ['for the name above', trusted, 'www.partner.example', {}],
  ['for a wildcard one level up', wildcard, 'eu.api.partner.example', {}],
  ['for a name, where the URL has an address', trusted, '127.0.0.1', {}],
  ['that has expired', expired, 'partner.example', {}],
  ['over TLS 1.1', trusted, 'partner.example', { maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }],
])('to a server with a certificate %s nothing is sent', async (_what, certificate, name, options) => {
  const { port, seen } = await partner(certificate, options);
  expect(await client().post(callbackTo(`https://${name}:${port}/`))).toMatchObject({
    ok: false,
    error: 'tls',
  });
  expect(seen.requests).toBe(0);
});

test('a server that answers https with http fails in TLS', async () => {
  const port = await tcpServer(says('HTTP/1.1 200 OK\r\n\r\n'));
  expect(await client().post(callbackTo(`https://partner.example:${port}/`))).toMatchObject({ error: 'tls' });
});

test('a handshake that never ends falls under the time limit', async () => {
  const port = await tcpServer((socket) => socket.resume());
  expect(await client().post(callbackTo(`https://partner.example:${port}/`, 300))).toMatchObject({
    error: 'timeout',
  });
});
