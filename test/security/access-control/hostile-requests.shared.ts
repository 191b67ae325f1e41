import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fail } from '../../../shared/platform/http/failures.ts';
import { failureResponse } from '../../../shared/platform/http/response.ts';
import { type AccessFixture, sharedAccessFixture } from './access-fixture.ts';
import { createFuzzer, type Fuzzer, type Target, targets } from './fuzz.ts';
import { sendBytes } from './raw-request.ts';

let fixture: AccessFixture;
let fuzzer: Fuzzer;
let count = 0;
beforeAll(async () => {
  fixture = await sharedAccessFixture();
  fuzzer = createFuzzer(fixture);
});
afterAll(() => {
  console.log(`Requests with hostile lines and headers: ${fuzzer.count() + count}`);
});

function targetOf(route: string): Target {
  const target = targets.find((candidate) => candidate.route === route);
  if (!target) throw new Error(`there is no route ${route}`);
  return target;
}

const segments = [
  ...'%00 %2F %2f..%2f..%2f % %zz %ff %ed%a0%80 %0d%0ax-injected:%201 %0A %F0%9F%98%80 .. . %2e%2e * ;a=b'.split(
    ' ',
  ),
  ...'a%23b %3F " \' {sessionId} <script> __proto__ constructor %5B%5D SESSION ERRORS%23'.split(' '),
  ...['a'.repeat(65), 'a'.repeat(129), 'a'.repeat(9_000), '%D0%B1'.repeat(128)],
];

test.each(targets.filter(({ path }) => path.includes('{')).map(({ route }) => route))(
  '%s gives a documented response to any segment',
  async (route) => {
    const target = targetOf(route);
    for (const segment of segments) {
      const path = target.path.replace(/\{\w+\}/, segment);
      expect([400, 404], segment).toContain((await fuzzer.sendAndCheck(target, { path })).status);
    }
  },
);

const queries: [query: string, status: number][] = [
  ['', 200],
  ['?', 200],
  ['?&&==&=&', 200],
  ['?limit=1', 200],
  ['?limit=1&limit=2', 400],
  ['?limit=', 400],
  ['?limit=%00', 400],
  ['?limit=1e2', 400],
  ['?limit=1e400', 400],
  ['?limit=-0', 400],
  ['?limit=+1', 400],
  ['?limit=9007199254740993', 400],
  ['?limit=%D9%A1', 400],
  ['?limit=%', 400],
  ['?Limit=nothing', 400],
  [`?${'limit=1&'.repeat(1_000)}`, 400],
  [`?a=${'x'.repeat(11_000)}`, 431],
];

const unknownParameters = [
  '?limit[]=1',
  '?limit=1&Limit=nothing',
  '?__proto__=1&constructor=2&toString=3',
  '?%ff%fe=%ff',
  `?${'a=&'.repeat(3_000)}`,
];

test.each([
  ['GET /promo/v1/all', 200],
  ['GET /wallet/offers/{offerId}/places', 400],
  ['GET /wallet/offers/{offerId}/promos', 400],
])(
  'rule 59: %s gives a documented response to any query, %i to unknown parameters',
  async (route, forUnknown) => {
    const target = targetOf(route);
    for (const [query, status] of [
      ...queries,
      ...unknownParameters.map((one) => [one, forUnknown] as const),
    ]) {
      const path = target.path.replace('{offerId}', 'bars-of-moscow') + query;
      const response = await fuzzer.sendAndCheck(target, { path });
      expect([query.slice(0, 40), response.status]).toEqual([query.slice(0, 40), status]);
    }
  },
);

test('a promotion is requested by exactly one number', async () => {
  const details = targetOf('GET /promo/v1/details');
  for (const query of [
    '',
    '?promoId=',
    '?promoId=1&promoId=1',
    '?promoId=1e0',
    '?promoId=-1',
    '?promoId=0',
  ]) {
    const path = details.path + query;
    expect([query, (await fuzzer.sendAndCheck(details, { path })).status]).toEqual([query, 400]);
  }
});

test('an Idempotency-Key that an object already has, or of 255 characters, is a key like any other; two are refused', async () => {
  const create = targetOf('POST /promo/v1/create');
  const body = '{"name":"Two for one","startDate":"2020-01-01T00:00:00+03"}';
  const statusWith = async (key: string | string[]) =>
    (await fuzzer.sendAndCheck(create, { path: create.path, body, headers: { 'idempotency-key': key } }))
      .status;
  for (const key of ['__proto__', 'constructor', '#', 'IDEM#x#y', '~'.repeat(255)])
    expect([key, await statusWith(key)]).toEqual([key, 200]);
  for (const key of [['a b', 'c'], 'a\tb', 'k'.repeat(9_000)])
    expect([key, await statusWith(key)]).toEqual([key, 400]);
});

describe('headers', () => {
  const all = targetOf('GET /promo/v1/all');
  const withHeaders = async (headers: Record<string, string | string[]>) =>
    (await fuzzer.sendAndCheck(all, { path: all.path, headers })).status;

  test('by the hundred, repeated, or of odd names change nothing', async () => {
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`h${n}`, '']));
    expect(await withHeaders(many)).toBe(200);
    expect(await withHeaders({ 'x-a': Array.from({ length: 900 }, () => '1') })).toBe(200);
    expect(await withHeaders({ ['__proto__']: '1', constructor: '2', hasownproperty: '3' })).toBe(200);
    expect(await withHeaders({ 'x-forwarded-for': '1.2.3.4', 'x-http-method-override': 'DELETE' })).toBe(200);
    expect(
      await withHeaders({ 'content-length': '0', 'content-encoding': 'gzip', expect: '100-continue' }),
    ).toBe(200);
  });
});

describe('an answer without a body', () => {
  test('has no header injected by the request', async () => {
    const injected = '\\r\\nset-cookie: a=b\\r\\n\\r\\n<html>';
    const body = `{"pushType":"${injected}","msisdn":"${injected}","${injected}":1,"payload":{"title":"","message":1,"deeplink":{"target":"${injected}"}}}`;
    const response = await sendBytes(fixture.baseUrl, postRaw('/push/delivery', body));
    const head = response.split('\r\n\r\n')[0] ?? '';
    const names = head
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(':')[0]?.toLowerCase());
    expect(response.split('\r\n')[0]).toBe('HTTP/1.1 400 Bad Request');
    expect(names.sort()).toEqual([
      'apigw-requestid',
      'cache-control',
      'connection',
      'content-length',
      'content-type',
      'date',
      'x-content-type-options',
      'x-error',
    ]);
    expect(response.slice(head.length)).toBe('\r\n\r\n');
  });

  test('has its sentences in printable ASCII, cut to a limit', () => {
    const sentence = `field\r\nset-cookie: a=b\0\x7f\u2028é: ${'x'.repeat(2_000)}`;
    const op = { emptyBodyFor: ['REQUEST_INVALID'] as const };
    const { headers } = failureResponse(op, {} as never, fail('REQUEST_INVALID', sentence));
    expect(headers['x-error']).toBe(`REQUEST_INVALID; field??set-cookie: a=b????: ${'x'.repeat(955)}`);
  });
});

function postRaw(path: string, body: string): string {
  return [
    `POST ${path} HTTP/1.1`,
    'host: localhost',
    'connection: close',
    `authorization: ${fixture.credentials}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

describe('bytes that are no proper request', () => {
  const close = 'host: localhost\r\nconnection: close\r\n';
  test.each([
    ['nonsense', 'nonsense\r\n\r\n', 400],
    ['HTTP/0.9', 'GET /promos\r\n\r\n', 401],
    ['HTTP/2 by hope', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['two lengths', `POST /promos HTTP/1.1\r\n${close}content-length: 1\r\ncontent-length: 2\r\n\r\nab`, 400],
    [
      'a length and chunks',
      `POST /promos HTTP/1.1\r\n${close}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['a length below zero', `POST /promos HTTP/1.1\r\n${close}content-length: -1\r\n\r\n`, 400],
    [
      'a chunk without a length',
      `POST /promos HTTP/1.1\r\n${close}transfer-encoding: chunked\r\n\r\nzz\r\n\r\n`,
      400,
    ],
    ['a control character in a key', `POST /promos HTTP/1.1\r\n${close}idempotency-key: a\x01b\r\n\r\n`, 400],
    ['NUL in a header', `GET /promos HTTP/1.1\r\n${close}offerid: a\0b\r\n\r\n`, 400],
    ['a folded header', `GET /promos HTTP/1.1\r\n${close}offerid: a\r\n b\r\n\r\n`, 400],
    ['a space before the colon', `GET /promos HTTP/1.1\r\n${close}offerid : a\r\n\r\n`, 400],
    ['no host', 'GET /promos HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
    ['a whole address', `GET http://x/promos HTTP/1.1\r\n${close}\r\n`, 404],
    ['an asterisk', `OPTIONS * HTTP/1.1\r\n${close}\r\n`, 404],
    ['two slashes', `GET //promos HTTP/1.1\r\n${close}\r\n`, 404],
    ['a slash more', `GET /promos/ HTTP/1.1\r\n${close}\r\n`, 404],
    ['capitals', `GET /PROMOS HTTP/1.1\r\n${close}\r\n`, 404],
    ...['DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE'].map((method): [string, string, number] => [
      `the method ${method}`,
      `${method} /promos HTTP/1.1\r\n${close}\r\n`,
      404,
    ]),
    [
      'an upgrade',
      `GET /promos HTTP/1.1\r\nhost: localhost\r\nconnection: close, upgrade\r\nupgrade: h2c\r\n\r\n`,
      401,
    ],
  ])('%s', async (_what, bytes, status) => {
    count += 1;
    const response = await sendBytes(fixture.baseUrl, bytes);
    expect(response.split(' ')[1]).toBe(String(status));
    expect(response).not.toMatch(/node:|node_modules|\.ts:|\n\s+at /);
  });
});
