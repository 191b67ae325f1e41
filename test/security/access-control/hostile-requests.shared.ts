import { afterAll, beforeAll, expect, test } from 'vitest';
import { fail } from '../../../shared/platform/http/failures.ts';
import { failureResponse } from '../../../shared/platform/http/response.ts';
import { type AccessFixture, sharedAccessFixture } from './access-fixture.ts';
import { createFuzzer, type Fuzzer, type Target, targets } from './fuzz.ts';

let fixture: AccessFixture;
let fuzzer: Fuzzer;
beforeAll(async () => {
  fixture = await sharedAccessFixture();
  fuzzer = createFuzzer(fixture);
});
afterAll(() => {
  console.log(`Requests with hostile lines and headers: ${fuzzer.count()}`);
});

function targetOf(route: string): Target {
  const target = targets.find((candidate) => candidate.route === route);
  if (!target) throw new Error(`there is no route ${route}`);
  return target;
}

const segments = [
  ...'%00 %2F %2f..%2f..%2f % %zz %ff %0d%0ax-injected:%201 %F0%9F%98%80 .. %2e%2e * a%23b'.split(' '),
  ...'%3F " {sessionId} <script> __proto__ SESSION ERRORS%23'.split(' '),
  ...['a'.repeat(129), 'a'.repeat(9_000), '%D0%B1'.repeat(128)],
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

test.each<[route: string, refused: readonly string[], taken: readonly string[]]>([
  [
    'GET /promo/v1/all',
    [
      '?limit=1&limit=2',
      '?limit=',
      '?limit=%00',
      '?limit=1e2',
      '?limit=-0',
      '?limit=9007199254740993',
      '?limit=%D9%A1',
    ],
    ['?', '?&&==&=&', '?__proto__=1&constructor=2', '?%ff%fe=%ff', `?${'a=&'.repeat(3_000)}`],
  ],
  [
    'GET /wallet/offers/{offerId}/places',
    ['?limit[]=1', '?limit=1&Limit=nothing', '?__proto__=1&constructor=2', `?${'limit=1&'.repeat(1_000)}`],
    ['?', '?limit=1'],
  ],
  ['GET /promo/v1/details', ['', '?promoId=', '?promoId=1&promoId=1', '?promoId=1e0', '?promoId=0'], []],
])('rule 59: %s gives a documented response to any query', async (route, refused, taken) => {
  const target = targetOf(route);
  const statusOf = async (query: string) =>
    (await fuzzer.sendAndCheck(target, { path: target.path.replace('{offerId}', 'bars-of-moscow') + query }))
      .status;
  for (const query of refused) expect([query, await statusOf(query)]).toEqual([query, 400]);
  for (const query of taken) expect([query, await statusOf(query)]).toEqual([query, 200]);
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

test('headers of odd names, and a hundred of one name, change nothing', async () => {
  const all = targetOf('GET /promo/v1/all');
  const odd = { ['__proto__']: '1', constructor: '2', 'x-a': Array.from({ length: 100 }, () => '1') };
  expect((await fuzzer.sendAndCheck(all, { path: all.path, headers: odd })).status).toBe(200);
});

test('an answer without a body has its sentences in printable ASCII, cut to a limit', () => {
  const sentence = `field\r\nset-cookie: a=b\0\x7f\u2028é: ${'x'.repeat(2_000)}`;
  const op = { emptyBodyFor: ['REQUEST_INVALID'] as const };
  const { headers } = failureResponse(op, {} as never, fail('REQUEST_INVALID', sentence));
  expect(headers['x-error']).toBe(`REQUEST_INVALID; field??set-cookie: a=b????: ${'x'.repeat(955)}`);
});
