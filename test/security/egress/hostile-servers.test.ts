import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { callbackTo, loopbackClient } from './guarded-post.ts';
import { drips, floods, says, saysAndEnds, tcpServer } from './loopback-servers.ts';

type Talk = Parameters<typeof tcpServer>[0];
type Expected = { ok: boolean; error?: string; httpStatus?: number };

const head = 'HTTP/1.1 200 OK\r\n';
const none = 'content-length: 0\r\n\r\n';
const taken: Expected = { ok: true, httpStatus: 200 };
const noResponse: Expected = { ok: false, error: 'response' };
const tooLate: Expected = { ok: false, error: 'timeout' };

function refusedWith(httpStatus: number): Expected {
  return { ok: false, error: 'status', httpStatus };
}

const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

/** 60 MB of zeros in 60 kB of gzip, which the client never decompresses. */
const bomb = gzipSync(Buffer.alloc(60_000_000)).toString('latin1');

const hostile: readonly [what: string, talk: Talk, expected: Expected][] = [
  // Hostile status lines.
  ['hangs up at once', (socket) => socket.destroy(), noResponse],
  ['never says anything', (socket) => socket.resume(), tooLate],
  ['answers before it is asked', (socket) => socket.write(`${head}content-length: 0\r\n\r\n`), taken],
  ['speaks SSH', saysAndEnds('SSH-2.0-OpenSSH_9.6\r\n'), noResponse],
  ['has an unknown status', saysAndEnds('HTTP/1.1 999 No\r\n\r\n'), refusedWith(999)],
  ['has a status line without an end', floods('HTTP/1.1 200 ', 'O'), noResponse],
  ['redirects to the wallet', says(`HTTP/1.1 302 Found\r\nlocation: /wallet\r\n${none}`), refusedWith(302)],
  // Hostile interim responses.
  ['sends a few hints first', says(`${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(20)}${head}\r\n`), taken],
  ['sends hints without an end', floods('', 'HTTP/1.1 103 Early Hints\r\n\r\n'), noResponse],
  ['sends 100 without an end', floods('', 'HTTP/1.1 100 Continue\r\n\r\n'), noResponse],
  ['switches to another protocol', says(`HTTP/1.1 101 Switching Protocols\r\n${upgrade}`), noResponse],
  ['says 101 and no protocol', says('HTTP/1.1 101 Switching Protocols\r\n\r\n'), refusedWith(101)],
  ['offers another protocol with its 200', says(`${head}content-length: 0\r\n${upgrade}`), taken],
  // Hostile headers.
  ['has a header of 1 MB', says(`${head}x-filler: ${'a'.repeat(1_000_000)}\r\n\r\n`), noResponse],
  ['drips its headers', drips(head, 'x-filler: 1\r\n'), tooLate],
  ['breaks off within its headers', saysAndEnds(`${head}content-le`), noResponse],
  [
    'names a length and chunks',
    saysAndEnds(`${head}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
    noResponse,
  ],
  // Hostile bodies: the status has arrived, so nothing that follows changes the result.
  ['has a body without an end', floods(`${head}\r\n`, 'a'), taken],
  ['drips its body', drips(`${head}content-length: 1000000\r\n\r\n`, 'a'), taken],
  ['breaks off within its body', saysAndEnds(`${head}content-length: 100\r\n\r\nabc`), taken],
  ['has chunks that are none', says(`${head}transfer-encoding: chunked\r\n\r\nzz\r\n`), taken],
  [
    'has a compressed bomb',
    (socket) =>
      socket.once('data', () =>
        socket.write(
          `${head}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n${bomb}`,
          'latin1',
        ),
      ),
    taken,
  ],
  ['keeps HTTP/1.0 alive without a length', says('HTTP/1.0 200 OK\r\nconnection: keep-alive\r\n\r\n'), taken],
  [
    'refuses and goes on for ever',
    floods('HTTP/1.1 503 No\r\nretry-after: 5\r\n\r\n', 'a'),
    refusedWith(503),
  ],
];

test.each(hostile)('a server that %s', async (_what, talk, expected) => {
  const sent: (() => number)[] = [];
  const port = await tcpServer((socket) => {
    sent.push(() => socket.bytesWritten);
    talk(socket);
  });
  const client = loopbackClient();
  const timeoutMs = expected === tooLate ? 300 : 5_000;
  const result = await client.post(callbackTo(`http://127.0.0.1:${port}/`, timeoutMs));
  expect(result).toMatchObject(expected);
  // The system's own buffers bound the bytes that the server can send.
  expect(result.durationMs).toBeLessThan(3_000);
  expect(Math.max(...sent.map((bytes) => bytes()))).toBeLessThan(20_000_000);
  // The client still works after the hostile server.
  const good = await tcpServer(says(`${head}content-length: 0\r\n\r\n`));
  expect(await client.post(callbackTo(`http://127.0.0.1:${good}/`))).toMatchObject(taken);
});

test('a surplus response is not taken for the response to the next callback', async () => {
  let connections = 0;
  const port = await tcpServer((socket) => {
    connections += 1;
    socket.on('data', () => socket.write(`${head}${none}HTTP/1.1 410 Gone\r\n${none}`));
  });
  const client = loopbackClient();
  const first = await client.post(callbackTo(`http://127.0.0.1:${port}/`));
  const second = await client.post(callbackTo(`http://127.0.0.1:${port}/`));
  expect([first, second, connections]).toMatchObject([taken, taken, 2]);
});

test('servers that never answer delay no other, however many they are', async () => {
  const silent = await tcpServer((socket) => socket.resume());
  const good = await tcpServer(says(`${head}content-length: 0\r\n\r\n`));
  const client = loopbackClient();
  let givenUp = 0;
  const held = Array.from({ length: 200 }, async () => {
    const outcome = await client.post(callbackTo(`http://127.0.0.1:${silent}/`, 3_000));
    givenUp += 1;
    return outcome.ok ? 'ok' : outcome.error;
  });
  expect(await client.post(callbackTo(`http://127.0.0.1:${good}/`))).toMatchObject(taken);
  expect(givenUp).toBe(0);
  expect(new Set(await Promise.all(held))).toEqual(new Set(['timeout']));
});

test('a connection that is idle for 4 s is closed, before most servers would close it', async () => {
  const { promise: idleMs, resolve } = Promise.withResolvers<number>();
  const port = await tcpServer((socket) => {
    socket.on('data', () => socket.write(`${head}${none}`));
    const openedAt = performance.now();
    socket.once('close', () => resolve(performance.now() - openedAt));
  });
  await loopbackClient().post(callbackTo(`http://127.0.0.1:${port}/`));
  expect(await idleMs).toBeGreaterThan(3_500);
});
