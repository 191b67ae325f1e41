import { expect, test } from 'vitest';
import { callbackRequest } from '../../../shared/callbacks/callback.ts';
import { PostedEndpoint } from '../../../shared/callbacks/endpoint/endpoint.ts';
import { callbackTo, loopbackClient } from './guarded-post.ts';
import { tcpServer } from './loopback-servers.ts';
import { watchSockets } from './watch-sockets.ts';

const callback = {
  partnerId: 'bars',
  messageId: '7ddcb8d5-a230-4d11-b600-a1ab44b848c0',
  msisdn: 79_001_234_567,
  state: 'DELIVERED' as const,
  changedAt: 1_780_000_000_000,
};

async function listener() {
  let raw = '';
  const port = await tcpServer((socket) =>
    socket.on('data', (chunk) => {
      raw += chunk.toString('latin1');
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    }),
  );
  return { port, raw: () => raw };
}

function endpointWith(settings: object) {
  return PostedEndpoint.parse({
    partnerId: 'bars',
    signingSecrets: [{ secret: 'whsec_c2VjcmV0LW9mLTE2LWJ5dGU=', createdAt: 0 }],
    status: 'enabled',
    ...settings,
  });
}

/** Returns the names of the headers in order, to show that a request has one request line and only these headers. */
function headersOf(raw: string): string[] {
  return (raw.split('\r\n\r\n')[0] ?? '')
    .split('\r\n')
    .slice(1)
    .map((line) => line.slice(0, line.indexOf(':')));
}

const usual = ['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
const ending = ['content-length', 'Host', 'Connection'];

test('HTTP Basic with line breaks, a whole request and 3 kB in it stays one header', async () => {
  const { port, raw } = await listener();
  const secret = `s\r\n\r\nPOST /evil HTTP/1.1\r\nhost: x\r\n\r\n${'s'.repeat(3_000)}`;
  const basic = { login: 'wallet\r\nx-evil: 1', secret };
  const endpoint = endpointWith({ url: `http://127.0.0.1:${port}/callback`, basic });
  expect(await loopbackClient().post(callbackRequest(endpoint, callback, 0))).toMatchObject({ ok: true });
  expect(headersOf(raw())).toEqual([...usual, 'authorization', ...ending]);
  expect(raw().match(/HTTP\/1\.1/g)).toHaveLength(1);
});

test.each([
  ['line breaks', '/cb\r\nx-evil: 1', 'POST /cbx-evil:%201 HTTP/1.1'],
  ['a request of its own', '/cb HTTP/1.1\r\n\r\nGET /evil', 'POST /cb%20HTTP/1.1GET%20/evil HTTP/1.1'],
  ['a fragment', '/cb#secret', 'POST /cb HTTP/1.1'],
])('a stored URL with %s makes one request line', async (_what, path, line) => {
  const { port, raw } = await listener();
  const endpoint = endpointWith({ url: `http://127.0.0.1:${port}${path}` });
  expect(await loopbackClient().post(callbackRequest(endpoint, callback, 0))).toMatchObject({ ok: true });
  expect(raw().startsWith(line)).toBe(true);
  expect(headersOf(raw())).toEqual([...usual, ...ending]);
});

test('a header that would split the request is never sent, should one ever come so far', async () => {
  const { port } = await listener();
  const opened = watchSockets();
  const split = {
    ...callbackTo(`http://127.0.0.1:${port}/`),
    headers: { authorization: 'Basic x\r\nx-evil: 1' },
  };
  await expect(loopbackClient().post(split)).rejects.toThrow('Invalid character in header content');
  expect(opened.connects).toBe(0);
});

test.each(['whsec_\r\nx: 1', 'secret'])('%j cannot be stored as a signing secret', (secret) => {
  const signingSecrets = [{ secret, createdAt: 0 }];
  expect(() => endpointWith({ url: 'https://partner.example/', signingSecrets })).toThrow();
});
