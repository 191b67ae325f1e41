import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { says, tcpServer } from './loopback-servers.ts';

const egress = resolve(import.meta.dirname, '../../../shared/platform/egress');

/** Returns a program for a process of its own, since Node reads these variables when it starts. */
function post(url: string) {
  return `
  const { guardedClient } = await import('${egress}/guarded-client.ts');
  const { addressPolicy } = await import('${egress}/public-address.ts');
  const request = { url: '${url}', timeoutMs: 5000, body: '{}', headers: {} };
  const client = guardedClient(addressPolicy('loopback-too'), async () => ['127.0.0.1']);
  console.log(JSON.stringify(await client.post(request)));
`;
}

test('a proxy that the environment names is not used: it would look names up itself', async () => {
  let throughProxy = 0;
  const proxy = await tcpServer((socket) => {
    throughProxy += 1;
    socket.destroy();
  });
  const partner = await tcpServer(says('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
  const address = `http://127.0.0.1:${proxy}`;
  const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: address, HTTPS_PROXY: address, http_proxy: address };
  const run = async (code: string) =>
    promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], { env });

  const { stdout } = await run(post(`http://partner.example:${partner}/`));
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, httpStatus: 200 });
  expect(throughProxy).toBe(0);

  // Node's own fetch does use the proxy with the same variables.
  await run(`await fetch('http://partner.example:${partner}/').catch(() => {})`);
  expect(throughProxy).toBeGreaterThan(0);
});
