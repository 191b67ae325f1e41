import { expect, test } from 'vitest';
import { type Fixture, sharedFixture, startFixture } from './fixtures/fixture-service.ts';

function ask(fixture: Fixture, authorization?: string) {
  return fetch(`${fixture.service.endpoints.baseUrl}/private`, {
    headers: authorization ? { authorization } : {},
  });
}

const shared = sharedFixture();

test('a request without credentials is 401, a refused one 403, and only the second invokes the authorizer', async () => {
  const unauthorized = await ask(shared());
  expect([unauthorized.status, await unauthorized.text()]).toEqual([401, '{"message":"Unauthorized"}']);
  const forbidden = await ask(shared(), 'bad');
  expect([forbidden.status, await forbidden.text()]).toEqual([403, '{"message":"Forbidden"}']);
  expect(shared().printed('Authorize')).toHaveLength(1);
});

test('the authorizer gets the request in its own form, and what it says about the caller reaches the function', async () => {
  const response = await ask(shared(), 'good');
  expect(shared().printed('Authorize').at(-1)).toMatchObject({
    version: '2.0',
    type: 'REQUEST',
    routeArn: 'arn:aws:execute-api:eu-central-1:000000000000:local/$default/GET/private',
    identitySource: ['good'],
    routeKey: 'GET /private',
    rawPath: '/private',
    requestContext: { http: { method: 'GET' }, stage: '$default' },
  });
  const { event } = (await response.json()) as { event: { requestContext: { authorizer: unknown } } };
  expect(event.requestContext.authorizer).toMatchObject({ lambda: { partnerId: 'p1' } });
});

test('a verdict of the authorizer, also a refusal, is cached for as long as the template says', async () => {
  let nowMs = 1_800_000_000_000;
  const fixture = await startFixture({ now: () => nowMs });
  for (const identity of ['good', 'bad', 'good', 'bad']) await ask(fixture, identity);
  nowMs += 299_000;
  for (const identity of ['good', 'bad']) await ask(fixture, identity);
  expect(fixture.printed('Authorize').map(({ identitySource }) => identitySource[0])).toEqual([
    'good',
    'bad',
  ]);
  nowMs += 2_000;
  expect((await ask(fixture, 'good')).status).toBe(200);
  expect(fixture.printed('Authorize')).toHaveLength(3);
});

test.each(['broken', 'malformed'])('a %s authorizer is a 500 and is invoked again', async (identity) => {
  const invoked = () => shared().printed('Authorize').length;
  const before = invoked();
  for (const _ of [1, 2]) {
    const response = await ask(shared(), identity);
    expect([response.status, await response.text()]).toEqual([500, '{"message":"Internal Server Error"}']);
  }
  expect(invoked() - before).toBe(2);
});
