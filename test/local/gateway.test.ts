import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedFixture, startFixture } from './fixtures/fixture-service.ts';

const fixture = sharedFixture();
let url: string;
beforeAll(() => {
  url = fixture().service.endpoints.baseUrl;
});

/** Returns the event that the function behind a route received. */
async function eventOf(path: string, init: RequestInit = {}) {
  const serverResponse = await fetch(url + path, init);
  const { event } = (await serverResponse.json()) as { event: APIGatewayProxyEventV2 };
  return event;
}

function order(body: object) {
  return fetch(`${url}/answer`, { method: 'POST', body: JSON.stringify(body) });
}

describe('an event', () => {
  test('has the members of payload format 2.0', async () => {
    const event = await eventOf('/echo/a%20b?x=1&y=2&x=3', {
      method: 'POST',
      headers: {
        'X-Two': 'first',
        cookie: 'a=1; b=2',
        'content-type': 'application/json',
        'user-agent': 'test',
      },
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
        apiId: 'local',
        domainName: 'local.execute-api.eu-central-1.amazonaws.com',
        domainPrefix: 'local',
        http: {
          method: 'POST',
          path: '/echo/a b',
          protocol: 'HTTP/1.1',
          sourceIp: '127.0.0.1',
          userAgent: 'test',
        },
        routeKey: 'POST /echo/{id}',
        stage: '$default',
        time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        timeEpoch: expect.any(Number),
      },
      body: '{"text":"кофе"}',
      isBase64Encoded: false,
    });
    expect(event.headers).not.toHaveProperty('cookie');
    expect(event.headers).not.toHaveProperty('connection');
  });

  test.each([
    ['application/json; charset=utf-8', false],
    ['text/csv', false],
    ['application/xml', false],
    ['application/javascript', false],
    ['application/x-www-form-urlencoded', true],
    ['application/octet-stream', true],
    ['application/vnd.api+json', true],
  ])('carries a body of %s with isBase64Encoded %s', async (type, isBase64Encoded) => {
    const event = await eventOf('/echo/1', { method: 'POST', headers: { 'content-type': type }, body: 'ab' });
    expect(event).toMatchObject({ body: isBase64Encoded ? 'YWI=' : 'ab', isBase64Encoded });
  });

  test('carries a compressed body as it was sent, in base64', async () => {
    const body = gzipSync('{"places":[]}');
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const event = await eventOf('/echo/1', { method: 'POST', headers, body });
    expect(event).toMatchObject({ isBase64Encoded: true, body: body.toString('base64') });
  });

  test('that a gateway on AWS may damage is passed on, and the terminal says so', async () => {
    const warnings: string[] = [];
    const log = { info: () => undefined, warn: (line: string) => warnings.push(line) };
    const { service } = await startFixture({ log });
    const send = (type: string, body: string | Uint8Array<ArrayBuffer>, more: Record<string, string> = {}) =>
      fetch(`${service.endpoints.baseUrl}/echo/1`, {
        method: 'POST',
        headers: { 'content-type': type, ...more },
        body,
      });
    const windows1251 = Buffer.from([0xc0, 0xf0, 0xe1, 0xe0, 0xf2]);
    await send('text/csv', windows1251);
    await send('application/json', gzipSync('{"places":[]}'), { 'content-encoding': 'gzip' });
    await send('application/octet-stream', gzipSync('{"places":[]}'), { 'content-encoding': 'gzip' });
    await send('application/json', 'Арбат');
    const warning =
      'POST /echo/{id}: the body is not UTF-8, and its content-type is that of text: a gateway on AWS may damage it. Send text in UTF-8, and gzip as application/octet-stream.';
    expect(warnings).toEqual([warning, warning]);
  });

  test('of a route that IAM guards names a caller', async () => {
    const event = await eventOf('/wallet/things', { method: 'POST' });
    const iam = { accountId: '000000000000', userId: 'local' };
    expect(event).toMatchObject({ requestContext: { authorizer: { iam } } });
  });
});

describe('a route', () => {
  test.each([
    ['GET', '/things/special', 'GET /things/special'],
    ['GET', '/things/other', 'GET /things/{id}'],
    ['PUT', '/things/special', 'PUT /things/{id}'],
    ['POST', '/echo/1', 'POST /echo/{id}'],
    ['GET', '/echo/1', 'GET /echo/{id}'],
  ])('for %s %s is %s', async (method, path, routeKey) => {
    expect((await eventOf(path, { method })).routeKey).toBe(routeKey);
  });

  test('is chosen by the decoded path, so an encoded slash separates segments', async () => {
    expect((await fetch(`${url}/things/a%2Fb`)).status).toBe(404);
    expect(await eventOf('/things/a%252Fb')).toMatchObject({
      routeKey: 'GET /things/{id}',
      rawPath: '/things/a%2Fb',
      pathParameters: { id: 'a/b' },
    });
  });

  test('is chosen without what follows an encoded question mark', async () => {
    expect(await eventOf('/things/a%3Fb/c?x=%3F')).toMatchObject({
      rawPath: '/things/a',
      pathParameters: { id: 'a' },
      rawQueryString: 'x=%3F',
    });
  });
});

describe('a response', () => {
  test('is passed on with headers and binary body', async () => {
    const serverResponse = await order({
      response: {
        statusCode: 201,
        headers: { 'content-type': 'image/png', 'X-Count': '3' },
        body: 'AQID',
        isBase64Encoded: true,
      },
    });
    expect(serverResponse.status).toBe(201);
    expect(serverResponse.headers.get('content-type')).toBe('image/png');
    expect(serverResponse.headers.get('x-count')).toBe('3');
    expect([...new Uint8Array(await serverResponse.arrayBuffer())]).toEqual([1, 2, 3]);
  });

  test.each([
    ['a body that is no text', { response: { statusCode: 200, body: { no: 'text' } } }],
    ['no status', { response: { anything: [1] } }],
    ['a status that is none', { response: { statusCode: 'soon' } }],
    ['a status that is a list', { response: { statusCode: [200] } }],
    ['a header that cannot be sent', { response: { statusCode: 200, headers: { 'x-bad': 'a\nb' } } }],
    ['an exception', { throw: 'no' }],
    ['the end of its process', { exit: true }],
    ['more than 6 MB', { bytes: 6_291_557 }],
  ])('of %s is a 500', async (_what, body) => {
    const serverResponse = await order(body);
    expect(serverResponse.status).toBe(500);
    expect(await serverResponse.text()).toBe('{"message":"Internal Server Error"}');
  });
});

describe('the gateway itself', () => {
  test('responds 404 where there is no route', async () => {
    const serverResponse = await fetch(`${url}/nothing`);
    expect(serverResponse.status).toBe(404);
    expect(await serverResponse.text()).toBe('{"message":"Not Found"}');
  });

  test('responds 413 to more than 10 MB', async () => {
    const serverResponse = await fetch(`${url}/echo/1`, {
      method: 'POST',
      body: Buffer.alloc(10 * 1024 * 1024 + 1),
    });
    expect(serverResponse.status).toBe(413);
    expect(await serverResponse.text()).toBe('{"message":"Request Entity Too Large"}');
  });

  test('responds 413 when base64 makes the event too large for a function', async () => {
    const send = (bytes: number) =>
      fetch(`${url}/answer`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: Buffer.alloc(bytes, ' '),
      });
    expect((await send(4_800_000)).status).toBe(413);
    // The function was called, but could not parse the body.
    expect((await send(4_600_000)).status).toBe(500);
  });

  test('responds 500 when the function runs into its timeout', async () => {
    expect((await fetch(`${url}/slow`)).status).toBe(500);
  });

  test('responds 503 when the reserved concurrency is used up', async () => {
    const responses = await Promise.all([1, 2, 3].map(() => fetch(`${url}/single?ms=300`)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 503, 503]);
    const refused = responses.find(({ status }) => status === 503);
    expect(await refused?.json()).toEqual({ message: 'Service Unavailable' });
  });

  test('goes on when a client breaks off', async () => {
    const { port } = new URL(url);
    for (const text of [
      'POST /echo/1 HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99\r\n\r\nhalf',
      'nonsense\r\n\r\n',
    ]) {
      const socket = connect(Number(port), '127.0.0.1');
      await new Promise<void>((resolve) => socket.write(text, () => resolve()));
      socket.destroy();
    }
    const gone = new AbortController();
    const broken = fetch(`${url}/single?ms=200`, { signal: gone.signal });
    setTimeout(() => gone.abort(), 50);
    await expect(broken).rejects.toThrow('aborted');
    expect((await fetch(`${url}/things/special`)).status).toBe(200);
  });
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

const otherSite = {
  status: 403,
  body: '{"message":"Forbidden: a page of another site sent this request; open the console of this service, or use a client that is no browser"}',
};
const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

// A page of any site could register phone numbers: the wallet platform's routes check no signature here.
describe('a page of another site', () => {
  test.each([
    ['by fetch', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'empty' }],
    ['by a form', link],
    ['from another port of this machine', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
    ['from a browser that sends its origin only', { origin: 'https://evil.example' }],
    ['from a sandboxed frame', { origin: 'null' }],
    ['by a form, from a browser that sends its origin', { ...link, origin: 'https://evil.example' }],
  ])('cannot send a request %s', async (_how, headers) => {
    expect(await sendAs(headers)).toEqual(otherSite);
  });

  test('cannot show a response in a frame, or load one as a script', async () => {
    expect(await sendAs({ ...link, 'sec-fetch-dest': 'iframe' }, 'GET', '/things/special')).toEqual(
      otherSite,
    );
    const script = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'no-cors',
      'sec-fetch-dest': 'script',
    };
    expect(await sendAs(script, 'GET', '/things/special')).toEqual(otherSite);
  });

  test.each([
    'evil.example',
    'evil.example:3000',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '10.0.0.1',
  ])('cannot use %s as a name of this machine', async (host) => {
    expect(await sendAs({ host, 'sec-fetch-site': 'same-origin', origin: `http://${host}` })).toEqual({
      status: 403,
      body: JSON.stringify({
        message: `Forbidden: ${host} is not a name of this machine, call 127.0.0.1 or localhost`,
      }),
    });
  });

  test('can link to this one', async () => {
    expect(await sendAs(link, 'GET', '/things/special')).toMatchObject({ status: 200 });
  });
});

test.each([
  ['curl', {}],
  [
    'the console',
    { host: 'localhost:3000', origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' },
  ],
  ['a person who types the address', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
  ['a receiver behind a name of this machine', { host: 'bars.localhost:3000' }],
  ['IPv6', { host: '[::1]:3000' }],
])('%s reaches the wallet platform on this machine', async (_who, headers) => {
  expect(await sendAs(headers)).toMatchObject({ status: 200 });
});
