import { expect, test } from 'vitest';
import { type Fixture, startFixture } from './fixtures/fixture-service.ts';

function ask(fixture: Fixture, authorization?: string) {
  return fetch(`${fixture.service.endpoints.baseUrl}/private`, {
    headers: authorization ? { authorization } : {},
  });
}

function clock() {
  let ms = 1_800_000_000_000;
  return {
    now: () => ms,
    pass: (seconds: number) => {
      ms += seconds * 1000;
    },
  };
}

test('a request without credentials is 401 and the authorizer is not invoked', async () => {
  const fixture = await startFixture();
  const response = await ask(fixture);
  expect(response.status).toBe(401);
  expect(await response.text()).toBe('{"message":"Unauthorized"}');
  expect((await ask(fixture, 'good')).status).toBe(200);
  expect(fixture.printed('Authorize')).toHaveLength(1);
});

test('a request that the authorizer refuses is 403', async () => {
  const response = await ask(await startFixture(), 'bad');
  expect(response.status).toBe(403);
  expect(await response.text()).toBe('{"message":"Forbidden"}');
});

test('what the authorizer says about the caller reaches the function', async () => {
  const response = await ask(await startFixture(), 'good');
  const { event } = (await response.json()) as { event: { requestContext: { authorizer: unknown } } };
  expect(event.requestContext.authorizer).toEqual({ lambda: { partnerId: 'p1', calls: 1 } });
});

test('the authorizer gets the request in its own form', async () => {
  const fixture = await startFixture();
  await ask(fixture, 'good');
  expect(fixture.printed('Authorize')[0]).toMatchObject({
    version: '2.0',
    type: 'REQUEST',
    routeArn: 'arn:aws:execute-api:eu-central-1:000000000000:local/$default/GET/private',
    identitySource: ['good'],
    routeKey: 'GET /private',
    rawPath: '/private',
    requestContext: { http: { method: 'GET' }, stage: '$default' },
  });
});

test('a verdict of the authorizer, also a refusal, is cached for as long as the template says', async () => {
  const time = clock();
  const fixture = await startFixture({ now: time.now });
  for (const identity of ['good', 'bad', 'good', 'bad']) await ask(fixture, identity);
  time.pass(299);
  for (const identity of ['good', 'bad']) await ask(fixture, identity);
  expect(fixture.printed('Authorize').map(({ identitySource }) => identitySource[0])).toEqual([
    'good',
    'bad',
  ]);
  time.pass(2);
  expect((await ask(fixture, 'good')).status).toBe(200);
  expect(fixture.printed('Authorize')).toHaveLength(3);
});

test.each(['broken', 'malformed'])('a %s authorizer is a 500 and is invoked again', async (identity) => {
  const fixture = await startFixture();
  for (const _ of [1, 2]) {
    const response = await ask(fixture, identity);
    expect(response.status).toBe(500);
    expect(await response.text()).toBe('{"message":"Internal Server Error"}');
  }
  expect(fixture.printed('Authorize')).toHaveLength(2);
});
