import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { request } from '../../../ops/scenario/client.ts';
import { accessCases, sendTo } from './access-cases.ts';
import { type AccessFixture, credentialsOf, loginOf, newKey, sharedAccessFixture } from './access-fixture.ts';

let fixture: AccessFixture;
/** Keys of a test, which are deleted after it, because a partner may have only 20. */
const made: string[] = [];
beforeAll(async () => {
  fixture = await sharedAccessFixture();
});

async function limitedKey(key: Record<string, unknown>): Promise<string> {
  const authorization = await newKey(fixture, { ...key, label: 'kept' });
  made.push(loginOf(authorization));
  return authorization;
}

async function deleteKeys(): Promise<void> {
  for (const login of made.splice(0)) await request(fixture.service.partner, `DELETE /keys/${login}`);
}

async function send(route: string, authorization: string) {
  const headers = { authorization, offerid: 'bars-of-moscow' };
  const { status, text } = await sendTo(route, fixture, { headers });
  return { status, body: text === '' ? {} : JSON.parse(text) };
}

function forbidden(code: string, sentence: string) {
  return { status: 403, body: { status: code, errors: [sentence] } };
}

const routes = Object.keys(accessCases).filter((route) => accessCases[route]?.caller === 'partner');
const tver = { offerIds: ['bars-of-tver'] };

describe('a key that is limited to an offer', () => {
  afterAll(deleteKeys);

  test('may call operations about an offer for that offer only', async () => {
    const limited = await limitedKey({ role: 'full', ...tver });
    const offerRoutes = routes.filter((route) => accessCases[route]?.offer);
    for (const route of offerRoutes)
      expect([route, await send(route, limited)]).toMatchObject([
        route,
        { status: 403, body: { status: 'OFFER_FORBIDDEN' } },
      ]);
    expect(offerRoutes).toHaveLength(7);
  });

  /** Such a key reaches these routes too, beside those about its offers. */
  const reached: Record<string, readonly string[]> = {
    'GET /keys/self': ['full', 'observer'],
    'GET /keys': ['full'],
    'POST /keys': ['full'],
    'POST /keys/{login}/rotate': ['full'],
    'POST /keys/{login}/retire': ['full'],
    'DELETE /keys/{login}': ['full'],
    'POST /sandbox/check-ins': ['full'],
  };

  describe.each(['full', 'observer'] as const)('and has the role %s', (role) => {
    let limited: string;
    beforeAll(async () => {
      // It names all offers of the partner, and is limited nevertheless.
      limited = await limitedKey({ role, offerIds: ['bars-of-moscow', 'bars-of-tver'] });
    });

    test.each(
      routes
        .filter((route) => !accessCases[route]?.offer && !reached[route]?.includes(role))
        .filter((route) => role === 'full' || route.startsWith('GET ')),
    )('rule 50: is refused by %s, which is about the whole partner', async (route) => {
      const where = 'what the contract opens to keys with offers is named in `reached` of this file';
      expect(await send(route, limited), where).toEqual(
        forbidden(
          'OFFER_FORBIDDEN',
          'offerIds: this key is limited to loyalty programs, and this belongs to the whole account; use a key without limits',
        ),
      );
    });
  });
});

describe('rule 50: a key that has ended, and is still let in by the gateway', () => {
  const changes = routes.filter((route) => accessCases[route]?.endedKey);
  let ended = '';
  beforeAll(async () => {
    ended = await limitedKey({ role: 'full' });
    await request({ ...fixture.service.partner, ...credentialsOf(ended) }, 'GET /keys/self');
    await deleteKeys();
  });

  test.each(changes)('changes nothing by %s', async (route) => {
    expect(await send(route, ended)).toEqual(
      forbidden('ROLE_FORBIDDEN', 'role: this key, or the secret that was used, has ended'),
    );
  });

  test('every request that changes something is refused, but sends, lists, redemptions and what plays the wallet', () => {
    const others = routes.filter((route) => !route.startsWith('GET ') && !accessCases[route]?.endedKey);
    // Operations on keys look at the acting key in the transaction of their change.
    const where =
      "make its handler by liveKeyHandler, and give its access case endedKey: 'refused'; or name it here";
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

test('rule 31: a cash desk that is limited to a place checks in nobody at another', async () => {
  const elsewhere = await limitedKey({ role: 'cash-desk', placeIds: ['place-2'] });
  expect(await send('POST /sandbox/check-ins', elsewhere)).toEqual(
    forbidden('PLACE_FORBIDDEN', 'placeId: this key is limited to other service points'),
  );
  await deleteKeys();
});
