import { expect, test } from 'vitest';
import { systemResolve } from '../../../shared/platform/egress/guarded-lookup.ts';
import { serverWithSlowHandshake } from '../../support/slow-server.ts';
import { callbackTo, loopbackClient, publicClient } from './guarded-post.ts';
import { says, tcpServer } from './loopback-servers.ts';
import { nameServer } from './name-server.ts';

const loopback = [127, 0, 0, 1];
/** Public, so only the family of the address can be the reason why it is not called. */
const public6 = [0x26, 0x06, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x11];

test('rule 25: of a name with A and AAAA records only A records are looked up, and a handshake may take a second', async () => {
  const { address, queries } = await nameServer({ 'partner.example': { A: [loopback], AAAA: [public6] } });
  const port = await serverWithSlowHandshake();
  const client = loopbackClient(systemResolve([address]));
  const result = await client.post(callbackTo(`http://partner.example:${port}/`));
  expect(result).toMatchObject({ ok: true, httpStatus: 200 });
  expect(result.durationMs).toBeGreaterThan(500);
  expect(queries).toEqual(['A partner.example']);
});

test('a handshake of a second succeeds at the first of two addresses too', async () => {
  const port = await serverWithSlowHandshake();
  // Nothing listens at the second address: whoever gives the first one up early fails.
  const client = loopbackClient(async () => ['127.0.0.1', '127.0.0.2']);
  const result = await client.post(callbackTo(`http://partner.example:${port}/`));
  expect(result).toMatchObject({ ok: true });
  expect(result.durationMs).toBeGreaterThan(500);
});

test('the second address is called when the first refuses, and the whole timeout holds for both', async () => {
  const port = await tcpServer(says('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
  const url = `http://partner.example:${port}/`;
  const client = loopbackClient(async () => ['127.0.0.2', '127.0.0.1']);
  expect(await client.post(callbackTo(url))).toMatchObject({ ok: true });

  const slow = await serverWithSlowHandshake();
  const both = loopbackClient(async () => ['127.0.0.1', '127.0.0.1']);
  const result = await both.post(callbackTo(`http://partner.example:${slow}/`, 400));
  expect(result).toMatchObject({ ok: false, error: 'timeout' });
  expect(result.durationMs).toBeLessThan(900);
});

test('a name with AAAA records alone is called nowhere, and the failure says so', async () => {
  const { address, queries } = await nameServer({ 'six.example': { AAAA: [public6] } });
  const client = publicClient(systemResolve([address]));
  expect(await client.post(callbackTo('https://six.example/'))).toMatchObject({
    ok: false,
    error: 'no-ipv4',
  });
  expect(await client.post(callbackTo('https://nobody.example/'))).toMatchObject({ ok: false, error: 'dns' });
  expect(queries).toEqual(['A six.example', 'A nobody.example']);
});
