import { beforeAll, describe, expect, test } from 'vitest';
import { documented } from '../../../docs/generate/operations.ts';
import { wallet } from '../../../shared/partners/callers.ts';
import { digestOf } from '../../../shared/partners/credentials.ts';
import { firstKey } from '../../../shared/partners/partner-rows.ts';
import { acceptsIdempotencyKey } from '../../../shared/platform/http/operation.ts';
import { accessCases } from './access-cases.ts';
import {
  type AccessFixture,
  type FixtureOfTwo,
  sharedAccessFixture,
  withForeignIds,
} from './access-fixture.ts';
import { basic, type RawResponse, sendRaw } from './raw-request.ts';

let fixture: FixtureOfTwo;
beforeAll(async () => {
  fixture = await withForeignIds(await sharedAccessFixture());
});

type Headers = Record<string, string | string[]>;

function at(route: string) {
  const accessCase = accessCases[route];
  if (!accessCase) throw new Error(`${route} has no access case`);
  return accessCase;
}

function send(
  route: string,
  request: { path: string; body?: string; headers?: Headers },
  headers: Headers,
): Promise<RawResponse> {
  const [method = ''] = route.split(' ');
  const type = request.body === undefined ? {} : { 'content-type': 'application/json' };
  return sendRaw(fixture.baseUrl, {
    method,
    ...request,
    headers: { ...type, ...request.headers, ...headers },
  });
}

/** Sends the allowed request of the route with only these headers. */
async function sendAllowed(route: string, headers: Headers): Promise<RawResponse> {
  return send(route, await at(route).request(fixture), headers);
}

const ownOffer = { offerid: 'bars-of-moscow' };
const unauthorized = [401, '{"message":"Unauthorized"}'] as const;
const forbidden = [403, '{"message":"Forbidden"}'] as const;
const foreignOffer =
  '{"status":"OFFER_FORBIDDEN","errors":["offerId: is not a loyalty program of this account"]}';
const severalOffers =
  '{"status":"REQUEST_INVALID","errors":["offerId: the header was sent more than once or names several offers, send it once with one of them"]}';
const missingOffer =
  '{"status":"REQUEST_INVALID","errors":["offerId: header required, send the identifier of your loyalty program"]}';

const routes = Object.keys(accessCases);
const partnerRoutes = routes.filter((route) => at(route).caller === 'partner');
const offerRoutes = routes.filter((route) => at(route).offer);
const walletRoutes = routes.filter((route) => at(route).caller === 'wallet');

test('the access-control matrix has every route of every operation, for its caller, and no other', () => {
  const operations = documented.flatMap(({ operation: { route, aliases = [], caller } }) =>
    [route, ...aliases].map((path) => ({
      route: path as string,
      caller: caller === wallet ? 'wallet' : caller.authorization === 'none' ? 'anybody' : 'partner',
      offer: caller.header === 'offerId',
    })),
  );
  const tried = routes.map((route) => ({ route, caller: at(route).caller, offer: at(route).offer === true }));
  const byRoute = (a: { route: string }, b: { route: string }) => a.route.localeCompare(b.route);
  expect(tried.sort(byRoute)).toEqual(operations.sort(byRoute));
});

describe('with the credentials of bars', () => {
  test.each(partnerRoutes)('%s answers 200', async (route) => {
    const { status } = await sendAllowed(route, { authorization: fixture.credentials, ...ownOffer });
    expect(status).toBe(200);
  });

  test.each(partnerRoutes.filter((route) => !at(route).offer))('%s ignores the offer', async (route) => {
    const headers = { authorization: fixture.credentials, offerid: 'bakery-club' };
    expect((await sendAllowed(route, headers)).status).toBe(200);
  });
});

const keyedRoutes = documented
  .filter(({ operation }) => acceptsIdempotencyKey(operation))
  .map(({ operation: { route } }) => route);

// Stopping the fixture fails if a role did not allow a call, also one without which a function goes on.
test.each(keyedRoutes)(
  '%s has the rights for an Idempotency-Key, the first time and again',
  async (route) => {
    const request = await at(route).request(fixture);
    const headers = {
      authorization: fixture.credentials,
      ...ownOffer,
      'idempotency-key': route.replace(' ', ''),
    };
    const [first, again] = [await send(route, request, headers), await send(route, request, headers)];
    expect([first.status, again.status]).toEqual([200, 200]);
  },
);

const oddBytes = Buffer.concat([Buffer.alloc(740, 0xff), Buffer.from(':x')]).toString('base64');

const wrongCredentials: [
  who: string,
  authorization: (fixture: AccessFixture) => string | undefined,
  expected: typeof forbidden | typeof unauthorized,
][] = [
  ['without credentials', () => undefined, unauthorized],
  ['with an empty header', () => '', unauthorized],
  ['with another scheme', ({ secret }) => `Bearer ${secret}`, forbidden],
  ['with a scheme alone', () => 'Basic', forbidden],
  ['with what is no base64', () => 'Basic ?:*', forbidden],
  ['with base64 without a colon', () => `Basic ${Buffer.from('bars').toString('base64')}`, forbidden],
  ['with an empty login', ({ secret }) => basic('', secret), forbidden],
  ['with an empty secret', () => basic('bars', ''), forbidden],
  ['with a wrong secret', ({ secret }) => basic('bars', `${secret.slice(0, -1)}~`), forbidden],
  ["with another partner's secret", ({ service }) => basic('bars', service.other.secret ?? ''), forbidden],
  ['with an unknown login', ({ secret }) => basic('nobody', secret), forbidden],
  ['with the login in capitals', ({ secret }) => basic('BARS', secret), forbidden],
  ['with a login behind a NUL', ({ secret }) => basic('bars\0', secret), forbidden],
  ['with a login of 740 odd bytes', () => `Basic ${oddBytes}`, forbidden],
  ['with 8,000 characters', () => `Basic ${'YmFy'.repeat(2_000)}`, forbidden],
  ['with the credentials twice', ({ credentials }) => `${credentials}, ${credentials}`, forbidden],
  ['with a key of a disabled partner', () => basic('closed', 'closed-secret'), forbidden],
];

// All routes have the same authorizer, and the gateway caches its results by the header, so one route is enough.
test.each(wrongCredentials)('%s nobody is let in', async (_who, authorizationOf, [status, body]) => {
  const authorization = authorizationOf(fixture);
  const headers = authorization === undefined ? ownOffer : { authorization, ...ownOffer };
  const response = await sendAllowed('GET /promos', headers);
  expect([response.status, response.text]).toEqual([status, body]);
});

test.each(partnerRoutes)(
  'rule 1: %s lets nobody in without credentials or with a wrong secret',
  async (route) => {
    const without = await sendAllowed(route, ownOffer);
    expect([without.status, without.text]).toEqual(unauthorized);
    const wrong = await sendAllowed(route, { authorization: basic('bars', 'wrong'), ...ownOffer });
    expect([wrong.status, wrong.text]).toEqual(forbidden);
  },
);

const offers: [what: string, headers: Headers, status: number, body: string][] = [
  ['no offerId', {}, 400, missingOffer],
  ['an empty offerId', { offerid: '' }, 400, missingOffer],
  ["another partner's offer", { offerid: 'bakery-club' }, 403, foreignOffer],
  ['an unknown offer', { offerid: 'nobodys-club' }, 403, foreignOffer],
  ['an offer that has lost its partner', { offerid: 'closed-club' }, 403, foreignOffer],
  ['its offer in capitals', { offerid: 'BARS-OF-MOSCOW' }, 403, foreignOffer],
  ['its offer twice', { offerid: ['bars-of-moscow', 'bars-of-moscow'] }, 400, severalOffers],
  ['its own and a foreign offer', { offerid: ['bars-of-moscow', 'bakery-club'] }, 400, severalOffers],
  ['a name that every object has', { offerid: '__proto__' }, 403, foreignOffer],
];

describe.each(offers)('with %s', (_what, headers, status, body) => {
  test.each(offerRoutes)(`%s is ${status}`, async (route) => {
    const response = await sendAllowed(route, { authorization: fixture.credentials, ...headers });
    expect([response.status, response.text]).toEqual([status, body]);
    expect(response.headers['x-error']).toBe(JSON.parse(body).status);
  });
});

const foreignIds = routes.flatMap((route) =>
  at(route).foreignIds.map((entry) => [route, entry.what, entry] as const),
);

test.each(foreignIds)('%s responds to %s exactly as to an unknown id', async (route, _what, entry) => {
  const offerid = entry.offerId ?? 'bars-of-moscow';
  const headers = at(route).caller === 'partner' ? { authorization: fixture.credentials, offerid } : {};
  for (const id of [entry.foreign(fixture), entry.unknown]) {
    const response = await send(route, entry.request(id), headers);
    const body = entry.refusal.body.replace('ID', String(id));
    expect([response.status, response.text]).toEqual([entry.refusal.status, body]);
    expect(response.headers['x-error']).toBe(JSON.parse(body).status);
  }
});

test('nothing that was refused took effect: the other partner has what it had', async () => {
  const { foreign, service } = fixture;
  const { login = '', secret = '' } = service.other;
  const headers = { authorization: basic(login, secret), offerid: 'bakery-club' };
  const open = await send('GET', { path: '/partner/api/place/place-1/checkins' }, headers);
  expect(JSON.parse(open.text)).toHaveLength(60);
  const promotion = await send('GET', { path: `/promo/v1/details?promoId=${foreign.promoId}` }, headers);
  expect(JSON.parse(promotion.text)).toMatchObject({ name: 'Two for one', status: 'active' });
  const places = await send('GET', { path: '/wallet/offers/bakery-club/places' }, {});
  expect(JSON.parse(places.text).places).toHaveLength(3);
});

// Locally nothing signs requests, so these tests only show that the wallet's routes ignore partners' credentials. That
// IAM protects these routes in AWS, and the authorizer all others, is tested on the template:
// test/infra/routes.test.ts.
describe('on this machine, without IAM,', () => {
  test.each(walletRoutes)('%s ignores credentials', async (route) => {
    const wrong = basic('bars', 'wrong');
    for (const headers of [{}, { authorization: fixture.credentials }, { authorization: wrong }]) {
      expect((await sendAllowed(route, headers)).status).toBe(200);
    }
  });
});

describe('while a secret rotates', () => {
  const [first, second] = ['first-secret-of-spare', 'second-secret-of-spare'];
  const cacheAge = 301_000;
  beforeAll(async () => {
    const spare = { login: 'spare', partnerId: 'spare', offerIds: ['spare-club'] };
    await fixture.adminStore.create(firstKey(spare, first, 0));
  });
  const changeSecrets = async (change: 'add' | 'retire') => {
    const key = await fixture.adminStore.key('spare');
    if (!key) throw new Error('spare has no key');
    const digest = digestOf({ login: 'spare', secret: second });
    if (change === 'add') await fixture.keys.rotate(key, { digest, createdAt: 1 }, { atMs: 1 });
    else await fixture.keys.retire(key, { atMs: 0 });
  };
  const statusWith = async (secret: string) =>
    (await sendAllowed('GET /keys/self', { authorization: basic('spare', secret) })).status;

  test('both secrets are accepted', async () => {
    await changeSecrets('add');
    expect([await statusWith(first), await statusWith(second)]).toEqual([200, 200]);
  });

  test('the retired one still works while the gateway caches the result, for five minutes', async () => {
    await changeSecrets('retire');
    expect(await statusWith(first)).toBe(200);
    fixture.letPass(cacheAge);
    expect([await statusWith(first), await statusWith(second)]).toEqual([403, 200]);
  });

  test('a key of a partner that is disabled is accepted for five more minutes, and then no more', async () => {
    await fixture.adminStore.setDisabled('spare', true);
    expect(await statusWith(second)).toBe(200);
    fixture.letPass(cacheAge);
    expect(await statusWith(second)).toBe(403);
  });
});
