import { afterEach, expect, test, vi } from 'vitest';
import { errorOf } from '../../../console/api/api-error.ts';
import { callAs } from '../../../console/api/call.ts';
import { rateIn } from '../../../console/session/rate.ts';

afterEach(() => vi.unstubAllGlobals());

test('an error is what the API says: in its body, in x-error where the body is empty, or for the gateway', async () => {
  const failed = Response.json({ status: 'REQUEST_INVALID', errors: ['title: required'] }, { status: 400 });
  expect(await errorOf(failed)).toMatchObject({ code: 'REQUEST_INVALID', sentences: ['title: required'] });
  const headers = { 'x-error': 'TOO_MANY_REQUESTS; msisdn: the limit is reached', 'retry-after': '12' };
  expect(await errorOf(new Response(null, { status: 429, headers }))).toMatchObject({
    code: 'TOO_MANY_REQUESTS',
    sentences: ['msisdn: the limit is reached'],
    retryAfterSeconds: 12,
  });
  const refused = await errorOf(Response.json({ message: 'Forbidden' }, { status: 403 }));
  expect([refused.isKeyRefused, refused.message]).toEqual([
    true,
    'This login and secret are not accepted. Check both, or ask the person who manages your keys for a new one.',
  ]);
  const role = await errorOf(
    Response.json({ status: 'ROLE_FORBIDDEN', errors: ['role: no'] }, { status: 403 }),
  );
  expect(role.isKeyRefused).toBe(false);
});

test('a request carries the key and the offer, is never cached, and leaves nothing to the browser', async () => {
  const sent: [string, RequestInit][] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    sent.push([url, init]);
    return Response.json([]);
  });
  const call = callAs({ credentials: { login: 'бар', secret: 's' }, offerId: 'bars' });
  await call('GET /partner/api/place/{placeId}/checkins', { path: { placeId: 'бар №1/а' } });
  expect(sent[0]?.[0]).toBe('/partner/api/place/%D0%B1%D0%B0%D1%80%20%E2%84%961%2F%D0%B0/checkins');
  expect(sent[0]?.[1]).toMatchObject({
    method: 'GET',
    credentials: 'omit',
    cache: 'no-store',
    headers: { authorization: 'Basic 0LHQsNGAOnM=', offerId: 'bars' },
  });
});

test.each([
  ['service that cannot be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['answer that breaks off', async () => new Response('{"login": "ba')],
])('a %s is an error like any other', async (_what, fetch) => {
  vi.stubGlobal('fetch', fetch);
  const call = callAs({ credentials: { login: 'a', secret: 'b' } });
  await expect(call('GET /keys/self', {})).rejects.toMatchObject({ code: 'UNREACHABLE' });
});

test('what is left of the rate is read from the headers of an answer', () => {
  const headers = new Headers({
    'ratelimit-policy': '"recipients";q=1000;w=60',
    ratelimit: '"recipients";r=990;t=42',
  });
  expect(rateIn(headers, 1_000)).toEqual({ limit: 1_000, remaining: 990, resetsAtMs: 43_000 });
  expect(rateIn(new Headers())).toBeUndefined();
});
