import { afterEach, expect, test, vi } from 'vitest';
import { ApiError, errorOf } from '../../../console/api/api-error.ts';
import { callAs } from '../../../console/api/call.ts';
import { currentRate, rateIn } from '../../../console/session/rate.ts';
import { keyFailure } from '../../../shared/partners/key.ts';
import { type Failure, fail, failureStatus } from '../../../shared/platform/http/failures.ts';

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
});

test('rule 50: the user of a key that has ended is asked to sign in again, and not one whose role is not enough', async () => {
  const refused = async ({ failure, errors }: Failure) =>
    (await errorOf(Response.json({ status: failure, errors }, { status: failureStatus[failure] })))
      .isKeyRefused;
  expect(await refused(keyFailure('ended', 'bars'))).toBe(true);
  expect(await refused(fail('ROLE_FORBIDDEN', 'role: no'))).toBe(false);
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

test('a service that does not respond in time is an error that says so', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
  vi.stubGlobal('fetch', async (_url: string, { signal }: RequestInit) => signal?.throwIfAborted());
  const call = callAs({ credentials: { login: 'a', secret: 'b' } });
  const reading = call('GET /keys/self', {}, { signal: new AbortController().signal });
  await expect(reading).rejects.toMatchObject({
    code: 'UNREACHABLE',
    sentences: ['The service did not respond within 60 seconds. Check the connection and try again.'],
  });
  expect(timeout).toHaveBeenCalledWith(60_000);
  timeout.mockRestore();
});

test('a failed request may have been done if it was to change something and no response says that it was not', async () => {
  const call = callAs({ credentials: { login: 'a', secret: 'b' } });
  const revoke = () => call('DELETE /keys/{login}', { path: { login: 'a' } });
  const mayBeDone = async (fetch: () => Promise<Response>, request: () => Promise<unknown> = revoke) => {
    vi.stubGlobal('fetch', fetch);
    const error = await request().catch((failure: unknown) => failure);
    return (error as ApiError).mayBeDone;
  };
  const lost = () => Promise.reject(new TypeError('Failed to fetch'));
  const failed = (status: number, code: string) => async () =>
    Response.json({ status: code, errors: ['no'] }, { status });
  expect(await mayBeDone(lost)).toBe(true);
  expect(await mayBeDone(failed(503, 'Service Unavailable'))).toBe(true);
  // After all others that are 503, nothing was done. The console does not call what has the first, and the queue may have
  // taken a list that it did not confirm.
  const maybe: string[] = [];
  for (const [code, status] of Object.entries(failureStatus))
    if (status >= 500 && (await mayBeDone(failed(status, code)))) maybe.push(code);
  expect(maybe).toEqual(['RECEIVER_UNAVAILABLE', 'INTERNAL_ERROR', 'SYNC_UNAVAILABLE', 'PROCESSING_FAILED']);
  expect(await mayBeDone(failed(503, 'REQUEST_LIMIT_EXCEEDED'))).toBe(false);
  expect(await mayBeDone(failed(409, 'REQUEST_IN_PROGRESS'))).toBe(true);
  expect(await mayBeDone(failed(409, 'KEY_BUSY'))).toBe(false);
  expect(await mayBeDone(failed(429, 'TOO_MANY_REQUESTS'))).toBe(false);
  expect(await mayBeDone(lost, () => call('GET /keys', {}))).toBe(false);
  const dryRun = { places: [], dryRun: true };
  expect(await mayBeDone(lost, () => call('POST /places/sync', { body: dryRun }))).toBe(false);
  const push = {
    pushType: 'SERVICE' as const,
    payload: { title: 'a', message: 'b' },
    msisdn: [1] as [number],
  };
  const asked = { query: { dryRun: true }, body: push };
  expect(await mayBeDone(lost, () => call('POST /push/bulk/single', asked))).toBe(false);
});

test('what is left of the rate is read from the headers of an answer', () => {
  const headers = new Headers({
    'ratelimit-policy': '"recipients";q=1000;w=60',
    ratelimit: '"recipients";r=990;t=42',
  });
  expect(rateIn(headers, 1_000)).toEqual({ limit: 1_000, remaining: 990, resetsAtMs: 43_000 });
  expect(rateIn(new Headers())).toBeUndefined();
});

test('a refusal is final, but for one that only asks to wait', () => {
  const isFinal = (status: number) => new ApiError(status, 'ANY', []).isFinal;
  expect([399, 400, 404, 429, 500].map(isFinal)).toEqual([false, true, true, false, false]);
});

test('the rate of a later minute is not that of the current one', () => {
  const rateOf = (seconds: number) =>
    currentRate(new Headers({ 'ratelimit-policy': '"r";q=9;w=60', ratelimit: `"r";r=8;t=${seconds}` }), 0);
  expect([rateOf(60)?.remaining, rateOf(61)]).toEqual([8, undefined]);
});
