import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedFixture } from './fixtures/fixture-service.ts';

const fixture = sharedFixture();
let url: string;
beforeAll(() => {
  url = fixture().service.endpoints.baseUrl;
});

/** Returns the event that the function behind a route received. */
async function eventOf(path: string, init: RequestInit = {}) {
  const response = await fetch(url + path, init);
  const { event } = (await response.json()) as { event: APIGatewayProxyEventV2 };
  return event;
}

async function send(path: string, body?: RequestInit['body'], headers: Record<string, string> = {}) {
  const response = await fetch(url + path, body === undefined ? {} : { method: 'POST', body, headers });
  return { status: response.status, text: await response.text() };
}

describe('an event', () => {
  test('has the members of payload format 2.0', async () => {
    const event = await eventOf('/echo/a%20b?x=1&y=2&x=3', {
      method: 'POST',
      headers: { 'X-Two': 'first', cookie: 'a=1', 'content-type': 'application/json', 'user-agent': 'test' },
      body: '{"text":"кофе"}',
    });
    expect(event).toMatchObject({
      version: '2.0',
      routeKey: 'POST /echo/{id}',
      rawPath: '/echo/a b',
      rawQueryString: 'x=1&y=2&x=3',
      headers: { 'x-two': 'first', 'x-forwarded-proto': 'http', 'x-forwarded-for': '127.0.0.1' },
      queryStringParameters: { x: '1,3', y: '2' },
      pathParameters: { id: 'a b' },
      requestContext: {
        accountId: '000000000000',
        authorizer: { iam: { accountId: '000000000000', userId: 'local' } },
        http: { method: 'POST', path: '/echo/a b', sourceIp: '127.0.0.1', userAgent: 'test' },
        routeKey: 'POST /echo/{id}',
        time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        timeEpoch: expect.any(Number),
      },
      body: '{"text":"кофе"}',
      isBase64Encoded: false,
    });
    expect(event.headers).not.toHaveProperty('cookie');
  });

  test.each([
    ['application/json; charset=utf-8', {}, false],
    ['text/csv', {}, false],
    ['application/octet-stream', {}, true],
    ['application/json', { 'content-encoding': 'gzip' }, true],
  ])('carries a body of %s %j with isBase64Encoded %s', async (type, more, isBase64Encoded) => {
    const body = 'content-encoding' in more ? gzipSync('{"places":[]}') : Buffer.from('ab');
    const headers: Record<string, string> = { 'content-type': type, ...more };
    const event = await eventOf('/echo/1', { method: 'POST', headers, body });
    expect(event).toMatchObject({
      isBase64Encoded,
      body: body.toString(isBase64Encoded ? 'base64' : 'utf8'),
    });
  });
});

test('rule 53: a route is chosen by the decoded path, so an encoded slash separates segments and an encoded question mark ends it', async () => {
  expect((await send('/things/a%2Fb')).status).toBe(404);
  expect(await eventOf('/things/a%252Fb')).toMatchObject({
    routeKey: 'GET /things/{id}',
    rawPath: '/things/a%2Fb',
    pathParameters: { id: 'a/b' },
  });
  expect(await eventOf('/things/a%3Fb/c?x=%3F')).toMatchObject({
    rawPath: '/things/a',
    pathParameters: { id: 'a' },
    rawQueryString: 'x=%3F',
  });
});

test.each([
  ['404 where there is no route', '/nothing', undefined, 404, 'Not Found'],
  ['413 to more than 10 MB', '/echo/1', 10_485_761, 413, 'Request Entity Too Large'],
  // Bytes get a third longer in an event, which has them as base64. The function parses JSON, and spaces are none.
  ['413 to an event too large for a function', '/answer', 4_800_000, 413, 'Request Entity Too Large'],
  ['what became of the largest event', '/answer', 4_600_000, 500, 'Internal Server Error'],
  ['500 at the timeout of a function', '/slow', undefined, 500, 'Internal Server Error'],
])('the gateway responds %s', async (_what, path, size, status, message) => {
  const body = size === undefined ? undefined : Buffer.alloc(size, ' ');
  const headers = { 'content-type': 'application/octet-stream' };
  expect(await send(path, body, headers)).toEqual({ status, text: JSON.stringify({ message }) });
});

/** Sends headers that `fetch` would set itself. */
function sendAs(headers: Record<string, string>, method = 'POST', path = '/wallet/things') {
  return new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const sent = request(url + path, { method, headers }, async (response) => {
      resolve({ status: response.statusCode, body: await text(response) });
    });
    sent.on('error', reject).end();
  });
}

const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

// A page of any site could register phone numbers: the wallet platform's routes check no signature here.
describe('a page of another site', () => {
  test.each([
    ['send a request by a form', link, 'POST'],
    ['send one from another port of this machine', { 'sec-fetch-site': 'same-site' }, 'POST'],
    ['send one from a browser that sends its origin only', { origin: 'https://evil.example' }, 'POST'],
    ['send one from a sandboxed frame', { origin: 'null' }, 'POST'],
    ['show a response in a frame', { ...link, 'sec-fetch-dest': 'iframe' }, 'GET'],
    ['load a response as a script', { ...link, 'sec-fetch-mode': 'no-cors' }, 'GET'],
  ])('cannot %s', async (_what, headers, method) => {
    expect(await sendAs(headers, method, '/things/special')).toEqual({
      status: 403,
      body: '{"message":"Forbidden: a page of another site sent this request; open the console of this service, or use a client that is no browser"}',
    });
  });

  test.each(['evil.example:3000', '127.0.0.1.evil.example', 'localhost.evil.example', '10.0.0.1'])(
    'cannot use %s as a name of this machine',
    async (host) => {
      const message = `Forbidden: ${host} is not a name of this machine, call 127.0.0.1 or localhost`;
      const headers = { host, 'sec-fetch-site': 'same-origin', origin: `http://${host}` };
      expect(await sendAs(headers)).toEqual({ status: 403, body: JSON.stringify({ message }) });
    },
  );

  test('can link to this one', async () => {
    expect(await sendAs(link, 'GET', '/things/special')).toMatchObject({ status: 200 });
  });
});

test.each([
  ['curl', {}],
  ['the console', { host: 'localhost:3000', origin: 'http://localhost:3000' }],
  ['a person who types the address', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
  ['a receiver behind a name of this machine', { host: 'bars.localhost:3000' }],
  ['IPv6', { host: '[::1]:3000' }],
])('%s reaches the wallet platform on this machine', async (_who, headers) => {
  expect(await sendAs(headers)).toMatchObject({ status: 200 });
});
