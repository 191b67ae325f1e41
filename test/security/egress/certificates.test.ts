import { readFileSync } from 'node:fs';
import { setDefaultCACertificates } from 'node:tls';
import { beforeAll, expect, test } from 'vitest';
import { callbackTo, loopbackClient } from './guarded-post.ts';
import { tlsServer } from './loopback-servers.ts';

const trusted = readFileSync(`${import.meta.dirname}/trusted.pem`);
const unknown = readFileSync(`${import.meta.dirname}/unknown.pem`);

// From here on, Node trusts this certificate as if a well-known authority had issued it.
beforeAll(() => setDefaultCACertificates([trusted]));

function client() {
  return loopbackClient(async () => ['127.0.0.1']);
}

/** Starts a server that counts its requests. */
async function partner(pem: Buffer) {
  const seen = { requests: 0 };
  const port = await tlsServer({ key: pem, cert: pem }, (socket) => {
    socket.on('data', () => {
      seen.requests += 1;
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    });
  });
  return { port, seen };
}

test('a certificate of an authority for the name is good', async () => {
  const { port, seen } = await partner(trusted);
  expect(await client().post(callbackTo(`https://partner.example:${port}/`))).toMatchObject({ ok: true });
  expect(seen.requests).toBe(1);
});

test.each([
  ['that nobody issued', unknown, 'partner.example'],
  ['for another name', trusted, 'bakery.example'],
  ['for a name, where the URL has an address', trusted, '127.0.0.1'],
])('to a server with a certificate %s nothing is sent', async (_what, certificate, name) => {
  const { port, seen } = await partner(certificate);
  expect(await client().post(callbackTo(`https://${name}:${port}/`))).toMatchObject({
    ok: false,
    error: 'tls',
  });
  expect(seen.requests).toBe(0);
});

test('a server that hangs up after the handshake gives no response, which is no fault of TLS', async () => {
  const port = await tlsServer({ key: trusted, cert: trusted }, (socket) => {
    socket.once('data', () => socket.destroy());
  });
  expect(await client().post(callbackTo(`https://partner.example:${port}/`))).toMatchObject({
    ok: false,
    error: 'response',
  });
});
