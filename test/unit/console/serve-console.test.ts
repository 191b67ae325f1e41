import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { expect, test } from 'vitest';
import { serveConsole } from '../../../functions/console/serve-console.ts';
import { collectLines } from '../../support/log-lines.ts';

function compressed(text: string) {
  return { br: brotliCompressSync(text), gzip: gzipSync(text) };
}

const largeText = `{"openapi":"3.1.0","info":"${'i'.repeat(16_000)}"}`;
const files = {
  page: '<meta name="console-settings" content="{}" />',
  document: compressed(largeText),
  assets: new Map([
    ['index-abc.js', compressed('start();')],
    ['large-abc.js', compressed(largeText)],
  ]),
};
const serve = serveConsole({ files, settings: '{"stage":"sandbox","wallet":"simulated"}' });

function get(rawPath: string, headers: Record<string, string> = {}, routeKey = `GET ${rawPath}`, by = serve) {
  return by({
    routeKey,
    rawPath,
    headers,
    requestContext: { requestId: 'r1' },
  } as unknown as APIGatewayProxyEventV2);
}

function bytesOf({ body = '' }: { body?: string | undefined }): Buffer {
  return Buffer.from(body, 'base64');
}

test('the page says what the stage is, and browsers ask each time whether it has changed', async () => {
  const page = await get('/console');
  expect(page.body).toBe(
    '<meta name="console-settings" content="{&quot;stage&quot;:&quot;sandbox&quot;,&quot;wallet&quot;:&quot;simulated&quot;}" />',
  );
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
  });
  const again = await get('/console', { 'if-none-match': `W/${page.headers?.['etag']}` });
  expect([again.statusCode, again.body]).toEqual([304, undefined]);
});

test('the base URL leads to the console', async () => {
  const lines = collectLines();
  expect(await get('/')).toMatchObject({ statusCode: 302, headers: { location: '/console' } });
  expect(lines).toMatchObject([{ code: 'ServeConsole', requestId: 'r1', statusCode: 302 }]);
});

test('no text of the settings ends the attribute of the page, or means something in it', async () => {
  const inPage = serveConsole({ files, settings: '{"stage":"<b>$& &lt;"}' });
  const page = await get('/console', {}, 'GET /console', inPage);
  expect(page.body).toBe(
    '<meta name="console-settings" content="{&quot;stage&quot;:&quot;&lt;b>$&amp; &amp;lt;&quot;}" />',
  );
});

test('a file is sent compressed, and is kept for ever', async () => {
  const file = await get('/console/assets/index-abc.js', { 'accept-encoding': 'gzip, br' });
  expect(brotliDecompressSync(bytesOf(file)).toString()).toBe('start();');
  expect(file.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  });
});

test.each([
  ['br', 'br'],
  ['*', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;q=0.5', 'gzip'],
  ['br;q=0, *', 'gzip'],
])('rule 40: to a client that accepts %j a large file is sent in %s', async (accepted, encoding) => {
  const document = await get('/openapi.json', { 'accept-encoding': accepted });
  expect([document.statusCode, document.headers?.['content-encoding']]).toEqual([200, encoding]);
  const read = encoding === 'br' ? brotliDecompressSync : gunzipSync;
  expect(read(bytesOf(document)).toString()).toBe(largeText);
});

// Without a key a request of 100 bytes was answered with up to 1.5 MB.
test.each([undefined, 'identity', 'br;q=0, gzip;q=0.0', '*;q=0'])(
  'rule 40: to a client that accepts %j a large file is not sent, and the response says what to send',
  async (accepted) => {
    const headers: Record<string, string> = accepted === undefined ? {} : { 'accept-encoding': accepted };
    for (const path of ['/openapi.json', '/console/assets/large-abc.js']) {
      const response = await get(path, headers);
      expect(response).toMatchObject({
        statusCode: 406,
        headers: { 'cache-control': 'no-store', vary: 'accept-encoding' },
        body: 'This file is sent compressed only: send the header Accept-Encoding: gzip (with curl, the option --compressed).\n',
      });
      expect(response.headers).not.toHaveProperty('etag');
    }
  },
);

test.each([
  ['/places/', 'Not Found: ask for /places without the slash at its end'],
  ['/promos/17//', 'Not Found: ask for /promos/17 without the slash at its end'],
  ['//', 'Not Found: ask for / without the slash at its end'],
  ['/place', 'Not Found'],
])('%s has no route: %s', async (path, message) => {
  const answer = await get(path, {}, '$default');
  expect([answer.statusCode, answer.body]).toEqual([404, JSON.stringify({ message })]);
  expect(answer.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
});

test.each(['../index.html', '%2e%2e/index.mjs', '__proto__', ''])(
  'only files of the build are served, not %s',
  async (name) => {
    const response = await get(`/console/assets/${name}`);
    expect([response.statusCode, response.headers?.['cache-control']]).toEqual([404, 'no-store']);
  },
);

test.each(['/', '/console', '/openapi.json', '/console/assets/index-abc.js', '/console/assets/nothing'])(
  'the answer to %s lets no other site frame, script or read it',
  async (path) => {
    expect((await get(path)).headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data: https:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  },
);
