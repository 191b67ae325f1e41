import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { request } from '../../../ops/scenario/client.ts';
import { accessCases } from './access-cases.ts';
import { type AccessFixture, sharedAccessFixture } from './access-fixture.ts';
import { basic, sendRaw } from './raw-request.ts';

let fixture: AccessFixture;
const credentials = new Map<string, string>();

const roles = ['full', 'cash-desk', 'catalog', 'messages', 'observer'] as const;

beforeAll(async () => {
  fixture = await sharedAccessFixture();
  for (const role of roles) credentials.set(role, await newKey({ role }));
});

/** Creates a key of bars, and returns its Authorization header. */
async function newKey(key: Record<string, unknown>): Promise<string> {
  const { body } = await request(fixture.service.partner, 'POST /keys', { label: 'kept', ...key });
  const { login, secret } = body as { login: string; secret: string };
  return basic(login, secret);
}

async function send(route: string, authorization: string, offerid = 'bars-of-moscow') {
  const [method = ''] = route.split(' ');
  const allowed = await accessCases[route]?.request(fixture);
  if (!allowed) throw new Error(`${route} has no access case: add one to access-cases.ts`);
  const type = allowed.body === undefined ? {} : { 'content-type': 'application/json' };
  const headers = { authorization, offerid, ...type };
  const { status, text } = await sendRaw(fixture.baseUrl, { method, ...allowed, headers });
  return { status, body: text === '' ? {} : JSON.parse(text) };
}

const routes = Object.keys(accessCases).filter((route) => accessCases[route]?.caller === 'partner');

/** The roles that may call each route. Any other route is open to full keys only, and to observers if it is a GET. */
const openTo: Record<string, readonly string[]> = {
  'POST /places/sync': ['catalog'],
  'GET /places/sync': ['catalog'],
  'GET /places/sync/{sessionId}': ['catalog'],
  'GET /places': ['catalog'],
  'GET /promos': ['catalog'],
  'GET /promo/v1/all': ['catalog'],
  'GET /promo/v1/details': ['catalog'],
  'POST /promo/v1/create': ['catalog'],
  'POST /promo/v1/update': ['catalog'],
  'GET /partner/api/place/{placeId}/checkins': ['cash-desk'],
  'GET /partner/api/place/{proxy+}': ['cash-desk'],
  'POST /partner/api/checkin/register': ['cash-desk'],
  'POST /sandbox/check-ins': ['cash-desk'],
  'GET /sandbox/phones': ['messages'],
  'GET /sandbox/phones/{msisdn}': ['messages'],
  'PUT /sandbox/phones/{msisdn}': ['messages'],
  'DELETE /sandbox/phones/{msisdn}': ['messages'],
  'POST /sandbox/phones/{msisdn}/messages/{messageId}/open': ['messages'],
  'POST /push/delivery': ['messages'],
  'POST /push/bulk/single': ['messages'],
  'POST /bulk/single': ['messages'],
  'POST /push/bulk/multi': ['messages'],
  'POST /bulk/multi': ['messages'],
  'GET /push/{messageId}/transactional-state': ['messages'],
  'GET /push/{messageId}/report': ['messages'],
  'POST /push/{messageId}/cancel': ['messages'],
  'GET /push': ['messages'],
  'GET /keys/self': ['cash-desk', 'catalog', 'messages'],
};

/** Keys that name all offers of the partner, by role. */
const limitedKeys: Partial<Record<(typeof roles)[number], string>> = {};

const sentences: Record<string, string> = {
  'cash-desk': 'role: this key has the role cash-desk, which allows to list and redeem check-ins',
  catalog: 'role: this key has the role catalog, which allows to manage service points and promotions',
  messages: 'role: this key has the role messages, which allows to send push messages and read their history',
  observer: 'role: this key has the role observer, which allows to read everything and change nothing',
};

const matrix = routes.flatMap((route) =>
  roles.map((role) => {
    const reads = role === 'observer' && route.startsWith('GET ');
    const allowed = role === 'full' || reads || (openTo[route] ?? []).includes(role);
    return [role, allowed ? 'may' : 'may not', route] as const;
  }),
);

test.each(matrix)('rule 31: a key of the role %s %s call %s', async (role, may, route) => {
  const { status, body } = await send(route, credentials.get(role) ?? '');
  const where = 'the contract names other roles than `openTo` of this file';
  if (may === 'may') expect(status, where).toBe(200);
  else
    expect({ status, body }, where).toEqual({
      status: 403,
      body: { status: 'ROLE_FORBIDDEN', errors: [sentences[role]] },
    });
});

describe('a key that is limited to an offer', () => {
  const offerRoutes = routes.filter((route) => accessCases[route]?.offer);

  test.each(offerRoutes)('may call %s for that offer only', async (route) => {
    const limited = await newKey({ role: 'full', offerIds: ['bars-of-tver'] });
    const { status, body } = await send(route, limited);
    expect({ status, code: body.status }).toEqual({ status: 403, code: 'OFFER_FORBIDDEN' });
    await request(fixture.service.partner, `DELETE /keys/${loginOf(limited)}`);
  });

  /** What such a key reaches beside what belongs to its offers. */
  const reached: Record<string, readonly string[]> = {
    'GET /keys/self': ['full', 'observer'],
    'GET /keys': ['full'],
    'POST /keys': ['full'],
    'POST /keys/{login}/rotate': ['full'],
    'POST /keys/{login}/retire': ['full'],
    'DELETE /keys/{login}': ['full'],
    'POST /sandbox/check-ins': ['full'],
  };
  const ofPartner = routes
    .filter((route) => !accessCases[route]?.offer)
    .flatMap((route) => (['full', 'observer'] as const).map((role) => [route, role] as const))
    .filter(
      ([route, role]) => !reached[route]?.includes(role) && (role === 'full' || route.startsWith('GET ')),
    );

  test.each(ofPartner)(
    'rule 50: to %s, which is about the whole partner, a %s key with offers is refused',
    async (route, role) => {
      // It names all offers of the partner, and is limited nevertheless.
      limitedKeys[role] ??= await newKey({ role, offerIds: ['bars-of-moscow', 'bars-of-tver'] });
      const where = 'what the contract opens to keys with offers is named in `reached` of this file';
      expect(await send(route, limitedKeys[role]), where).toEqual({
        status: 403,
        body: {
          status: 'OFFER_FORBIDDEN',
          errors: [
            'offerIds: this key is limited to loyalty programs, and this belongs to the whole account; use a key without limits',
          ],
        },
      });
    },
  );

  afterAll(async () => {
    for (const key of Object.values(limitedKeys))
      await request(fixture.service.partner, `DELETE /keys/${loginOf(key)}`);
  });

  test('rule 50: sees itself and keys with its limits or less', async () => {
    const limited = await newKey({ role: 'full', offerIds: ['bars-of-tver'] });
    const less = await newKey({ role: 'catalog', offerIds: ['bars-of-tver'] });
    const caller = { ...fixture.service.partner, ...credentialsOf(limited) };
    const { body } = await request(caller, 'GET /keys');
    const logins = (body as { keys: { login: string }[] }).keys.map(({ login }) => login);
    expect(logins).toContain(loginOf(limited));
    expect(logins).toContain(loginOf(less));
    expect(logins).not.toContain('bars');
    for (const key of [limited, less]) await request(fixture.service.partner, `DELETE /keys/${loginOf(key)}`);
  });

  test('rule 50: cannot be one for messages', async () => {
    const { partner } = fixture.service;
    expect(
      await request(partner, 'POST /keys', { role: 'messages', offerIds: ['bars-of-tver'] }),
    ).toMatchObject({
      status: 400,
      body: {
        errors: [
          'offerIds: messages belong to the whole account, a key of the role messages cannot be limited to loyalty programs',
        ],
      },
    });
  });

  test('gives out and manages keys of that offer only', async () => {
    const limited = await newKey({ role: 'full', offerIds: ['bars-of-tver'] });
    const caller = { ...fixture.service.partner, ...credentialsOf(limited) };
    const beyond = { status: 403, body: { status: 'OFFER_FORBIDDEN' } };
    const both = ['bars-of-moscow', 'bars-of-tver'];
    expect(await request(caller, 'POST /keys', { role: 'catalog', offerIds: both })).toMatchObject(beyond);
    expect(await request(caller, 'POST /keys/bars/rotate')).toMatchObject(beyond);
    const inherits = await request(caller, 'POST /keys', { role: 'catalog', label: 'inherits' });
    expect(inherits).toMatchObject({ status: 200, body: { offerIds: ['bars-of-tver'] } });
  });
});

describe('rule 50: a key that has ended, and is still let in by the gateway', () => {
  const changes = routes.filter((route) => accessCases[route]?.endedKey);
  let ended = '';
  beforeAll(async () => {
    ended = await newKey({ role: 'full' });
    await request({ ...fixture.service.partner, ...credentialsOf(ended) }, 'GET /keys/self');
    await request(fixture.service.partner, `DELETE /keys/${loginOf(ended)}`);
  });

  test.each(changes)('changes nothing by %s', async (route) => {
    expect(await send(route, ended)).toEqual({
      status: 403,
      body: { status: 'ROLE_FORBIDDEN', errors: ['role: this key, or the secret that was used, has ended'] },
    });
  });

  test('every request that changes something is refused, but sends, lists, redemptions and what plays the wallet', () => {
    const others = routes.filter((route) => !route.startsWith('GET ') && !accessCases[route]?.endedKey);
    // Operations on keys look at the acting key in the transaction of their change.
    const where =
      "let it return deps.keys.refuseEnded(), and give its access case endedKey: 'refused'; or name it here";
    expect(others.sort(), where).toEqual([
      'DELETE /keys/{login}',
      'POST /bulk/multi',
      'POST /bulk/single',
      'POST /keys',
      'POST /keys/{login}/retire',
      'POST /keys/{login}/rotate',
      'POST /partner/api/checkin/register',
      'POST /places/sync',
      'POST /push/bulk/multi',
      'POST /push/bulk/single',
      'POST /push/delivery',
      'POST /sandbox/check-ins',
      'POST /sandbox/phones/{msisdn}/messages/{messageId}/open',
    ]);
  });
});

describe('rule 31: a cash desk that is limited to a place', () => {
  const forbidden = {
    status: 403,
    body: {
      status: 'PLACE_FORBIDDEN',
      errors: ['placeId: this key is limited to other service points'],
    },
  };
  const list = 'GET /partner/api/place/{placeId}/checkins';
  const register = 'POST /partner/api/checkin/register';

  test('reads and redeems the check-ins of that place', async () => {
    const till = await newKey({ role: 'cash-desk', placeIds: ['place-2', 'place-1'] });
    expect(await send(list, till)).toMatchObject({ status: 200 });
    expect(await send(register, till)).toMatchObject({ status: 200 });
  });

  test('reads, opens and redeems none of another place, and the check-in stays', async () => {
    const till = await newKey({ role: 'cash-desk', placeIds: ['place-2'] });
    expect(await send(list, till)).toEqual(forbidden);
    expect(await send('POST /sandbox/check-ins', till)).toEqual(forbidden);
    const before = await send(list, fixture.credentials);
    expect(await send(register, till)).toEqual(forbidden);
    expect((await send(list, fixture.credentials)).body).toHaveLength(before.body.length + 1);
  });

  test('is not told what another key was answered for the same Idempotency-Key', async () => {
    const till = await newKey({ role: 'cash-desk', placeIds: ['place-2'] });
    const body = JSON.stringify({ checkinNumber: await fixture.freshCheckIn() });
    const redeem = (authorization: string) =>
      sendRaw(fixture.baseUrl, {
        method: 'POST',
        path: '/partner/api/checkin/register',
        body,
        headers: {
          authorization,
          offerid: 'bars-of-moscow',
          'content-type': 'application/json',
          'idempotency-key': 'redeem-once',
        },
      });
    expect(await redeem(fixture.credentials)).toMatchObject({ status: 200 });
    expect(await redeem(till)).toMatchObject({ status: 422 });
  });
});

function credentialsOf(authorization: string): { login: string; secret: string } {
  const [login = '', secret = ''] = Buffer.from(authorization.slice(6), 'base64').toString().split(':');
  return { login, secret };
}

function loginOf(authorization: string): string {
  return credentialsOf(authorization).login;
}
