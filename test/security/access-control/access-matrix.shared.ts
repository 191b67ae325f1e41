import { beforeAll, expect, test } from 'vitest';
import { documented } from '../../../docs/generate/operations.ts';
import { capacityMeter } from '../../../ops/data-lifecycle/capacity-meter.ts';
import { ownedRows } from '../../../ops/data-lifecycle/owned-rows.ts';
import { eventStore } from '../../../shared/events/event-store.ts';
import { wallet } from '../../../shared/partners/callers.ts';
import { acceptsIdempotencyKey } from '../../../shared/platform/http/operation.ts';
import type { Row } from '../../../shared/platform/table/batches.ts';
import { rowId } from '../../../shared/platform/table/row-keys/row-key.ts';
import { basic } from '../../support/basic.ts';
import type { AccessCase } from './access-case.ts';
import { accessCases, pathOf, sendTo } from './access-cases.ts';
import {
  type FixtureOfTwo,
  loginOf,
  mistyped,
  newKey,
  sharedAccessFixture,
  withForeignIds,
} from './access-fixture.ts';
import { events, withoutEvent } from './operation-events.ts';

const roles = ['full', 'cash-desk', 'catalog', 'messages', 'observer'] as const;
type Role = (typeof roles)[number];

let fixture: FixtureOfTwo;
let foreignRows: Record<string, Row>;
const credentials = new Map<Role, string>();
beforeAll(async () => {
  fixture = await withForeignIds(await sharedAccessFixture());
  for (const role of roles) credentials.set(role, await newKey(fixture, { role, label: 'kept' }));
  foreignRows = await rowsOfOther();
});

async function rowsOfOther(): Promise<Record<string, Row>> {
  const { table } = fixture;
  const other = { partnerId: 'bakery', offerIds: new Set(['bakery-club']) };
  const rows: Row[] = [];
  for await (const page of capacityMeter(table, Number.MAX_SAFE_INTEGER).pagesOf(table))
    rows.push(...(await ownedRows(table, other, page)));
  return Object.fromEntries(rows.map((row) => [rowId(row), row]));
}

type Headers = Record<string, string | string[]>;

function at(route: string): AccessCase {
  const accessCase = accessCases[route];
  if (!accessCase) throw new Error(`${route} has no access case`);
  return accessCase;
}

function send(route: string, request: { path: string; body?: string }, headers: Headers) {
  return sendTo(route, fixture, { headers, request });
}

/** Sends the allowed request of the route with only these headers. */
function sendAllowed(route: string, headers: Headers) {
  return sendTo(route, fixture, { headers });
}

const ownOffer = { offerid: 'bars-of-moscow' };
const unauthorized = { status: 401, text: '{"message":"Unauthorized"}' };
const forbidden = { status: 403, text: '{"message":"Forbidden"}' };

const routes = Object.keys(accessCases);
const partnerRoutes = routes.filter((route) => at(route).caller === 'partner');
const offerRoutes = routes.filter((route) => at(route).offer);

const operations = new Map(
  documented.flatMap(({ operation }) =>
    [operation.route, ...(operation.aliases ?? [])].map((route): [string, typeof operation] => [
      route,
      operation,
    ]),
  ),
);

test('the access-control matrix has every route of every operation, for its caller, and no other', () => {
  const all = [...operations].map(([route, { caller }]) => ({
    route,
    caller: caller === wallet ? 'wallet' : caller.authorization === 'none' ? 'anybody' : 'partner',
    offer: caller.header === 'offerId',
  }));
  const tried = routes.map((route) => ({ route, caller: at(route).caller, offer: at(route).offer === true }));
  const byRoute = (a: { route: string }, b: { route: string }) => a.route.localeCompare(b.route);
  expect(tried.sort(byRoute)).toEqual(all.sort(byRoute));
});

test('rule 55: every operation that changes something says which event it writes, or why none', () => {
  const changing = documented
    .map(({ operation }) => operation)
    .filter(({ route, caller }) => caller.authorization === 'basic' && !/^GET |\/sandbox\//.test(route));
  const said = [...Object.keys(events), ...Object.keys(withoutEvent)];
  expect(said.sort()).toEqual(changing.map(({ id }) => id).sort());
});

async function newestEvents() {
  return (await eventStore(fixture.table).page('bars', { limit: 20, nowMs: Date.now() })).events;
}

// Stopping the fixture fails if a role of a function did not allow a call, even one without which the function goes on.
test.each(partnerRoutes)(
  'rules 31, 55: a full key may call %s, also again with its Idempotency-Key, and the change has one event',
  async (route) => {
    const operation = operations.get(route);
    const allowed = await at(route).request(fixture);
    const authorization = credentials.get('full') ?? '';
    // An operation that is about no offer ignores the header.
    const offer = at(route).offer ? ownOffer : { offerid: 'bakery-club' };
    const isKeyed = operation && acceptsIdempotencyKey(operation);
    const headers = {
      authorization,
      ...offer,
      ...(isKeyed ? { 'idempotency-key': route.replace(' ', '') } : {}),
    };
    const before = new Set((await newestEvents()).map(({ eventId }) => eventId));
    for (const _time of isKeyed ? [1, 2] : [1]) {
      const { status, text } = await send(route, allowed, headers);
      expect(status).toBe(200);
      const shown = text === '' ? {} : JSON.parse(text);
      for (const secret of (operation?.secretMembers ?? []).flatMap((member) => shown[member] ?? [])) {
        const ofKey = !secret.startsWith('whsec_');
        (ofKey ? fixture.secrets : fixture.endpointSecrets).add(secret.replace('whsec_', ''));
      }
    }
    const written = (await newestEvents()).filter(
      ({ eventId, by }) => !before.has(eventId) && by === loginOf(authorization),
    );
    const event = events[operation?.id ?? ''];
    expect(written.map(({ kind }) => kind)).toEqual(event ? [event] : []);
  },
);

const sentences: Partial<Record<Role, string>> = {
  'cash-desk': 'role: this key has the role cash-desk, which allows to list and redeem check-ins',
  catalog: 'role: this key has the role catalog, which allows to manage service points and promotions',
  messages: 'role: this key has the role messages, which allows to send push messages and read their history',
  observer: 'role: this key has the role observer, which allows to read everything and change nothing',
};

const byRole = partnerRoutes.flatMap((route) =>
  roles.slice(1).map((role) => {
    const reads = role === 'observer' && route.startsWith('GET ');
    const allowed = reads || (at(route).roles ?? []).some((one) => one === role);
    return [role, allowed ? 'may' : 'may not', route] as const;
  }),
);

test.each(byRole)('rule 31: a key of the role %s %s call %s', async (role, may, route) => {
  const response = await sendAllowed(route, { authorization: credentials.get(role) ?? '', ...ownOffer });
  const where = 'the contract names other `roles` than access-cases.ts';
  if (may === 'may') expect(response.status, where).toBe(200);
  else
    expect([response.status, JSON.parse(response.text)], where).toEqual([
      403,
      { status: 'ROLE_FORBIDDEN', errors: [sentences[role]] },
    ]);
});

// All routes have the same authorizer, so one is enough. What it refuses is in test/integration/authorizer.
test('rule 1: without credentials the response is 401, with a wrong secret 403', async () => {
  expect(await sendAllowed('GET /promos', ownOffer)).toMatchObject(unauthorized);
  const authorization = basic('bars', mistyped(fixture.secret));
  expect(await sendAllowed('GET /promos', { authorization, ...ownOffer })).toMatchObject(forbidden);
});

// Locally nothing signs requests, so this only shows that these routes ignore partners' credentials. That IAM
// protects the wallet's routes in AWS, and the authorizer partners', is tested on the template: test/infra/routes.test.ts.
test.each(routes.filter((route) => at(route).caller !== 'partner'))(
  'on this machine, without IAM, %s ignores credentials',
  async (route) => {
    for (const headers of [
      {},
      { authorization: fixture.credentials },
      { authorization: basic('bars', 'wrong') },
    ])
      expect((await sendAllowed(route, headers)).status).toBe(200);
  },
);

const foreignOffer = [403, 'OFFER_FORBIDDEN', 'offerId: is not a loyalty program of this account'] as const;
const severalOffers = [
  400,
  'REQUEST_INVALID',
  'offerId: the header was sent more than once or names several offers, send it once with one of them',
] as const;
const missingOffer = [
  400,
  'REQUEST_INVALID',
  'offerId: header required, send the identifier of your loyalty program',
] as const;

test.each([
  ['no offerId', {}, missingOffer],
  ['an empty offerId', { offerid: '' }, missingOffer],
  ["another partner's offer", { offerid: 'bakery-club' }, foreignOffer],
  ['an unknown offer', { offerid: 'nobodys-club' }, foreignOffer],
  ['an offer that has lost its partner', { offerid: 'closed-club' }, foreignOffer],
  ['its offer in capitals', { offerid: 'BARS-OF-MOSCOW' }, foreignOffer],
  ['its offer twice', { offerid: ['bars-of-moscow', 'bars-of-moscow'] }, severalOffers],
  ['its own and a foreign offer', { offerid: ['bars-of-moscow', 'bakery-club'] }, severalOffers],
  ['a name that every object has', { offerid: '__proto__' }, foreignOffer],
] as [string, Headers, readonly [number, string, string]][])(
  'with %s every operation about an offer is refused',
  async (_what, headers, [status, code, sentence]) => {
    for (const route of offerRoutes) {
      const response = await sendAllowed(route, { authorization: fixture.credentials, ...headers });
      expect([route, response.status, response.headers['x-error'], response.text]).toEqual([
        route,
        status,
        code,
        JSON.stringify({ status: code, errors: [sentence] }),
      ]);
    }
  },
);

const foreignIds = routes.flatMap((route) =>
  at(route).foreignIds.map((entry) => [route, entry.what, entry] as const),
);

test.each(foreignIds)(
  'rule 2: %s responds to %s exactly as to an unknown id',
  async (route, _what, entry) => {
    const { foreign, unknown, request, refusal, offerId = 'bars-of-moscow' } = entry;
    const isPartner = at(route).caller === 'partner';
    const headers = isPartner ? { authorization: fixture.credentials, offerid: offerId } : {};
    for (const id of [foreign(fixture), unknown]) {
      const response = await send(route, { path: pathOf(route), ...request(id) }, headers);
      expect([response.status, response.text]).toEqual([404, refusal.replace('ID', String(id))]);
      expect(response.headers['x-error']).toBe(JSON.parse(refusal).status);
    }
  },
);

test('nothing that was refused took effect: every row of the other partner is as it was', async () => {
  expect(Object.keys(foreignRows).length).toBeGreaterThan(20);
  expect(await rowsOfOther()).toEqual(foreignRows);
});
