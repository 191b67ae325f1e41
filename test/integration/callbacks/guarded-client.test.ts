import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { guardedClient } from '../../../shared/platform/egress/guarded-client.ts';
import type { Resolve } from '../../../shared/platform/egress/guarded-lookup.ts';
import { addressPolicy } from '../../../shared/platform/egress/public-address.ts';
import { loopbackPartner, reply, silence } from './loopback-partner.ts';

const tcpServers: Server[] = [];

/** Starts a server that does not speak HTTP: the test decides what it does with a connection. */
async function tcpServer(talk: (socket: Socket) => void): Promise<number> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    talk(socket);
  });
  tcpServers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return (server.address() as { port: number }).port;
}

afterEach(async () => {
  for (const server of tcpServers.splice(0)) server.close();
});

function request(url: string, timeoutMs = 5_000) {
  return {
    url,
    timeoutMs,
    body: '{"state":"DELIVERED"}',
    headers: { 'content-type': 'application/json', 'webhook-id': 'm-DELIVERED' },
  };
}

function local(resolve?: Resolve) {
  return guardedClient(addressPolicy('loopback-too'), resolve);
}

function guarded(resolve?: Resolve) {
  return guardedClient(addressPolicy('public'), resolve);
}

test('posts the body and the headers as they are, with their length', async () => {
  const partner = await loopbackPartner();
  expect(await local().post(request(partner.url))).toEqual({
    ok: true,
    httpStatus: 200,
    durationMs: expect.any(Number),
  });
  expect(partner.received).toEqual([
    {
      url: '/status?key=partner-secret',
      body: '{"state":"DELIVERED"}',
      headers: {
        'content-type': 'application/json',
        'webhook-id': 'm-DELIVERED',
        'content-length': '21',
        host: `127.0.0.1:${partner.port}`,
        connection: 'keep-alive',
      },
    },
  ]);
});

test('one connection serves many callbacks, and gathers no listeners', async () => {
  const partner = await loopbackPartner();
  const client = local();
  const warnings: string[] = [];
  const listen = ({ name }: Error) => warnings.push(name);
  process.on('warning', listen);
  partner.responses(reply(200, {}, 'thank you'));
  for (let n = 0; n < 30; n++) await client.post(request(partner.url));
  process.off('warning', listen);
  expect(partner.connections()).toBe(1);
  expect(warnings).toEqual([]);
});

test('a connection that the partner closed while idle is replaced, and the partner never notices', async () => {
  const client = local();
  let connections = 0;
  const port = await tcpServer((socket) => {
    connections += 1;
    let requests = 0;
    socket.on('data', () => {
      requests += 1;
      // The server resets the first connection just as the second request arrives.
      if (connections === 1 && requests === 2) socket.resetAndDestroy();
      else socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    });
  });
  const url = `http://127.0.0.1:${port}/`;
  const first = await client.post(request(url));
  const second = await client.post(request(url));
  expect([first, second]).toMatchObject([
    { ok: true, httpStatus: 204 },
    { ok: true, httpStatus: 204 },
  ]);
  expect(connections).toBe(2);
});

test.each([200, 201, 202, 204, 299])('rule 23: %d is a success', async (status) => {
  const partner = await loopbackPartner();
  partner.responses(reply(status));
  expect(await local().post(request(partner.url))).toMatchObject({ ok: true, httpStatus: status });
});

test.each([301, 302, 307, 308])(
  'rule 23: a redirect is a failure and is not followed (%d)',
  async (status) => {
    const partner = await loopbackPartner();
    const target = await loopbackPartner();
    partner.responses(reply(status, { location: target.url }));
    expect(await local().post(request(partner.url))).toMatchObject({
      ok: false,
      error: 'status',
      httpStatus: status,
    });
    expect([partner.received.length, target.connections()]).toEqual([1, 0]);
  },
);

test('Retry-After comes along with a refusal', async () => {
  const partner = await loopbackPartner();
  partner.responses(reply(503, { 'retry-after': '120' }));
  expect(await local().post(request(partner.url))).toMatchObject({
    ok: false,
    httpStatus: 503,
    retryAfter: '120',
  });
});

test('a request to a partner that does not respond is aborted after its timeout', async () => {
  const partner = await loopbackPartner();
  partner.responses(silence);
  const result = await local().post(request(partner.url, 60));
  expect(result).toMatchObject({ ok: false, error: 'timeout' });
  expect(result.durationMs).toBeLessThan(2_000);
});

test('a partner that sends its headers byte by byte is given up after the same limit', async () => {
  const timers: NodeJS.Timeout[] = [];
  const port = await tcpServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    timers.push(setInterval(() => socket.write('x-filler: 1\r\n'), 5));
    socket.on('close', () => clearInterval(timers[0]));
  });
  expect(await local().post(request(`http://127.0.0.1:${port}/`, 80))).toMatchObject({ error: 'timeout' });
});

test('a name server that does not respond counts against the same timeout', async () => {
  const never: Resolve = () => new Promise(() => {});
  expect(await local(never).post(request('https://partner.example/', 60))).toMatchObject({
    error: 'timeout',
  });
});

test('of an endless response only a little is read, and its status counts', async () => {
  const partner = await loopbackPartner();
  let written = 0;
  partner.responses((response) => {
    response.writeHead(200);
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536))) written += 65_536;
    };
    response.on('drain', more);
    more();
  });
  expect(await local().post(request(partner.url))).toMatchObject({ ok: true, httpStatus: 200 });
  expect(written).toBeLessThan(20_000_000);
});

test('a success whose body never ends is a success all the same', async () => {
  const partner = await loopbackPartner();
  partner.responses((response) => response.writeHead(200).write('and'));
  const result = await local().post(request(partner.url));
  expect(result).toMatchObject({ ok: true, httpStatus: 200 });
  expect(result.durationMs).toBeLessThan(3_000);
});

test('what stops an exchange is named by how far it came', async () => {
  const partner = await loopbackPartner();
  const noHttp = await tcpServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
  const hangsUp = await tcpServer((socket) => socket.once('data', () => socket.destroy()));
  const closed = await loopbackPartner();
  await closed.close();
  const error = async (url: string, resolve?: Resolve) => {
    const result = await local(resolve).post(request(url));
    return result.ok ? 'none' : result.error;
  };
  expect(await error(`http://127.0.0.1:${noHttp}/`)).toBe('response');
  expect(await error(`http://127.0.0.1:${hangsUp}/`)).toBe('response');
  expect(await error(`https://127.0.0.1:${partner.port}/`)).toBe('tls');
  expect(await error(`http://127.0.0.1:${closed.port}/`)).toBe('connect');
  expect(await error('https://partner.example/', () => Promise.reject(new Error('ENOTFOUND')))).toBe('dns');
  expect(await error('https://partner.example/', async () => [])).toBe('no-ipv4');
});

test.each([
  ['http', (port: number) => `http://127.0.0.1:${port}/`],
  ['a literal address', (port: number) => `https://127.0.0.1:${port}/`],
  ['a decimal address', (port: number) => `https://2130706433:${port}/`],
  ['a hex address', (port: number) => `https://0x7f.1:${port}/`],
  ['an octal address', (port: number) => `https://0177.0.0.01:${port}/`],
  ['credentials', (port: number) => `https://a:b@127.0.0.1:${port}/`],
  ['localhost', (port: number) => `https://localhost:${port}/`],
])('rule 25: %s is refused and no socket is opened', async (_what, url) => {
  const partner = await loopbackPartner();
  expect(await guarded().post(request(url(partner.port)))).toMatchObject({ ok: false, error: 'refused' });
  expect(partner.connections()).toBe(0);
});

test.each([
  ['an inside address', ['10.0.0.1']],
  ['loopback', ['127.0.0.1']],
  ['the metadata service', ['169.254.169.254']],
  ['a public and an inside address', ['8.8.8.8', '127.0.0.1']],
  ['an inside address in IPv6 dress', ['::ffff:127.0.0.1']],
  ['an IPv6 address of our own', ['fd00::1']],
])('rule 25: a name that resolves to %s is refused and no socket is opened', async (_what, addresses) => {
  const partner = await loopbackPartner();
  const client = guarded(async () => addresses);
  expect(await client.post(request(`https://partner.example:${partner.port}/`))).toMatchObject({
    ok: false,
    error: 'refused',
  });
  expect(partner.connections()).toBe(0);
});

test('rule 25: a name that resolves differently at the second look is connected to where it was checked', async () => {
  const partner = await loopbackPartner();
  // A name is resolved once per connection: there is no second look between the check and the connect.
  const responses = [['127.0.0.1'], ['10.0.0.1']];
  const looks: string[] = [];
  const client = local(async (name) => {
    looks.push(name);
    return responses.shift() ?? [];
  });
  const url = `http://partner.example:${partner.port}/`;
  expect(await client.post(request(url))).toMatchObject({ ok: true });
  expect(looks).toEqual(['partner.example']);
  // Only a new connection is resolved and checked again; a connection that was kept goes where it always went.
  expect(await client.post(request(url))).toMatchObject({ ok: true });
  expect(partner.connections()).toBe(1);
  partner.responses(reply(200, { connection: 'close' }));
  await client.post(request(url));
  expect(await client.post(request(url))).toMatchObject({ ok: false, error: 'refused' });
});

test('an address that is no URL is refused like any other', async () => {
  expect(await guarded().post(request('not a url'))).toMatchObject({ ok: false, error: 'refused' });
});

const png = Buffer.from('89504e470d0a1a0a0000000d', 'hex');

test.each<[string, Record<string, string>, string | Buffer, string | undefined]>([
  ['text', { 'content-type': 'text/plain' }, 'no such route\n', 'no such route'],
  ['JSON without a type', {}, '{"error":"bad msisdn"}', '{"error":"bad msisdn"}'],
  ['300 characters of a long text, none of them cut in two', {}, '😀'.repeat(400), '😀'.repeat(300)],
  ['text beyond what is read of a body', {}, 'x'.repeat(100_000), 'x'.repeat(300)],
  [
    'text in the charset that it declares',
    { 'content-type': 'text/html; charset=windows-1251' },
    Buffer.from('cee0', 'hex'),
    'Оа',
  ],
  ['nothing of a charset that nobody knows', { 'content-type': 'text/html; charset=none' }, 'x', undefined],
  ['nothing of a picture', { 'content-type': 'image/png' }, png, undefined],
  ['nothing of control characters', {}, 'a\u0000b', undefined],
  ['nothing of an empty body', {}, ' \n', undefined],
])('a failed attempt says what it was told: %s', async (_what, headers, body, response) => {
  const partner = await loopbackPartner();
  partner.responses((serverResponse) => serverResponse.writeHead(500, headers).end(body));
  const result = await local().post(request(partner.url));
  expect(result).toMatchObject({ ok: false, httpStatus: 500 });
  expect('response' in result ? result.response : undefined).toBe(response);
});

test('the response of a success is not kept', async () => {
  const partner = await loopbackPartner();
  partner.responses(reply(200, {}, 'thank you'));
  expect(await local().post(request(partner.url))).not.toHaveProperty('response');
});
