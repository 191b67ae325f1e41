import { Resolver } from 'node:dns/promises';
import { expect, test } from 'vitest';
import { callbackTo, loopbackClient, publicClient } from './guarded-post.ts';
import { tcpServer } from './loopback-servers.ts';
import { watchSockets } from './watch-sockets.ts';

const url = 'https://partner.example/callback';

test('the counters see what Node opens: a connection over HTTP and over TLS, and a DNS query', async () => {
  const port = await tcpServer((socket) => socket.destroy());
  const opened = watchSockets();
  const client = loopbackClient(async () => ['127.0.0.1']);
  await client.post(callbackTo(`http://partner.example:${port}/`));
  await client.post(callbackTo(`https://partner.example:${port}/`));
  expect(opened).toEqual({ connects: 2, nameQueries: 0 });
  // The name server has the port of this TCP server, where nothing responds over UDP.
  const resolver = new Resolver({ timeout: 50, tries: 1 });
  resolver.setServers([`127.0.0.1:${port}`]);
  await expect(resolver.resolve4('partner.example')).rejects.toThrow();
  expect(opened.nameQueries).toBe(1);
});

test.each([
  ['a private address after a public one', ['8.8.8.8', '10.0.0.1']],
  ['a private address before a public one', ['10.0.0.1', '8.8.8.8']],
  ['a private IPv6 address and a public IPv4 address', ['8.8.8.8', 'fd00::1']],
  ['something that is no address', ['8.8.8.8.8']],
  ['an address in an old spelling', ['0177.0.0.1']],
])('a name with %s is refused and no socket opened', async (_what, addresses) => {
  const opened = watchSockets();
  expect(await publicClient(async () => addresses).post(callbackTo(url))).toMatchObject({
    ok: false,
    error: 'refused',
  });
  expect(opened).toEqual({ connects: 0, nameQueries: 0 });
});

test.each(['localhost', 'LOCALHOST', 'localhost.', 'metadata.localhost', 'a.b.localhost.'])(
  '%s is loopback without a DNS query, and refused',
  async (name) => {
    const opened = watchSockets();
    expect(await publicClient().post(callbackTo(`https://${name}/`))).toMatchObject({ error: 'refused' });
    expect(opened).toEqual({ connects: 0, nameQueries: 0 });
  },
);

test('a name that changes between look-ups never leads to an address that was not checked', async () => {
  let requests = 0;
  const port = await tcpServer((socket) =>
    socket.on('data', () => {
      requests += 1;
      socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    }),
  );
  const opened = watchSockets();
  const responses = [['127.0.0.1'], ['169.254.169.254'], ['127.0.0.1', '10.0.0.1'], ['fd00:ec2::254']];
  let looks = 0;
  const client = loopbackClient(async () => responses[looks++ % responses.length] ?? []);
  const outcomes: string[] = [];
  for (let n = 0; n < 40; n++) {
    const result = await client.post(callbackTo(`http://partner.example:${port}/`));
    outcomes.push(result.ok ? 'delivered' : result.error);
  }
  const count = (outcome: string) => outcomes.filter((each) => each === outcome).length;
  expect([count('delivered'), count('refused'), looks, requests]).toEqual([10, 30, 40, 10]);
  expect(opened.connects).toBe(10);
});

/** Starts a server that resets each connection some time after its second request arrives; only `answered` ones get responses. */
async function resettingServer({ afterMs = 0, answered = Number.POSITIVE_INFINITY } = {}) {
  let connections = 0;
  const port = await tcpServer((socket) => {
    connections += 1;
    const isAnswered = connections <= answered;
    let requests = 0;
    socket.on('data', () => {
      requests += 1;
      if (requests === 2) setTimeout(() => socket.resetAndDestroy(), afterMs);
      else if (isAnswered) socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    });
  });
  return { url: `http://partner.example:${port}/`, connections: () => connections };
}

test('a callback that meets a closed connection is sent again over a new one, and never to an address that was not checked', async () => {
  const server = await resettingServer();
  const responses = [['127.0.0.1'], ['127.0.0.1'], ['10.0.0.1']];
  const client = loopbackClient(async () => responses.shift() ?? []);
  const post = () => client.post(callbackTo(server.url));
  for (const expected of [1, 2]) {
    expect(await post()).toMatchObject({ ok: true, httpStatus: 204 });
    expect(server.connections()).toBe(expected);
  }
  const opened = watchSockets();
  expect(await post()).toMatchObject({ ok: false, error: 'refused' });
  expect(opened).toEqual({ connects: 0, nameQueries: 0 });
});

test('a callback that is sent again over a new connection has what is left of its time', async () => {
  const server = await resettingServer({ afterMs: 1_000, answered: 1 });
  const client = loopbackClient(async () => ['127.0.0.1']);
  const post = () => client.post(callbackTo(server.url, 2_000));
  await post();
  const result = await post();
  expect(result).toMatchObject({ error: 'timeout' });
  expect(server.connections()).toBe(2);
  expect(result.durationMs).toBeLessThan(2_900);
});
