import {
  type AccessCase,
  bulk,
  cashDesk,
  checkIn,
  checkIns,
  json,
  keys,
  type Listed,
  messages,
  place,
  placeWithSlash,
  promotions,
  type Request,
  sends,
  session,
  single,
  tver,
} from './access-case.ts';
import type { AccessFixture } from './access-fixture.ts';
import { type RawRequest, type RawResponse, sendRaw } from './raw-request.ts';
import { walletCases } from './wallet-cases.ts';

/** The password that the endpoint of bars gets. */
export const endpointPassword = 'correct horse battery staple';

const catalog = { roles: ['catalog'] } as const;
const readsPlace: Listed = { ...cashDesk, offer: true, permissions: { reads: ['CHECKINS#*', 'PLACES#*'] } };
const readsMessages = ['MSG#*', 'BULK#*', 'STATES#*'];
const readsSend = ['MSISDN#*', 'PHONES#*', 'RATE#*'];
const changesEndpoint: Listed = {
  endedKey: 'refused',
  permissions: { reads: ['ENDPOINT#*'], writes: ['ENDPOINT#*', 'EVENTS#*'] },
};
const testsEndpoint: Listed = {
  endedKey: 'refused',
  permissions: { reads: ['ENDPOINT#*'], writes: ['CALLBACKTESTS#*'] },
};
const bulkPermissions = {
  reads: [...readsSend, 'BULK#*'],
  writes: ['RATE#*', 'DEADLINE#*', 'BULK#*', 'SENDS#*', 'EVENTS#*'],
};
const keyRows = ['ACCOUNT#*', 'PARTNERS'];

const listed: Record<string, Listed> = {
  'POST /places/sync': {
    ...catalog,
    permissions: { reads: ['SYNC#*'], writes: ['SYNC#*', 'LIST#*'], PlacesSync: ['SendMessage'] },
    offer: true,
    body: { places: [{ itemId: 'place-1', placeInfo: { address: 'Arbat, 1' } }], dryRun: true },
  },
  'GET /places/sync/{sessionId}': {
    ...catalog,
    permissions: { reads: ['SYNC#*', 'SYNCERRORS#*', 'SYNCCHANGES#*'] },
    offer: true,
    request: ({ own }) => ({ path: `/places/sync/${own.sessionId}` }),
    foreignIds: [
      session("another partner's session", ({ foreign }) => foreign.sessionId),
      session("the session of the partner's other offer", ({ own }) => own.sessionId, tver),
    ],
  },
  'GET /places/sync': { ...catalog, permissions: { reads: ['SYNC#*'] }, offer: true },
  'GET /places': { ...catalog, permissions: { reads: ['PLACES#*'] }, offer: true },
  'GET /partner/api/place/{placeId}/checkins': {
    ...readsPlace,
    request: () => checkIns('place-1'),
    foreignIds: [
      place("another partner's place", () => 'bakery-only'),
      place("the place of the partner's other offer", () => 'place-1', tver),
    ],
  },
  'GET /partner/api/place/{proxy+}': {
    ...readsPlace,
    request: () => checkIns('hall%2F1'),
    foreignIds: [
      placeWithSlash("another partner's place", () => 'bakery/only'),
      placeWithSlash("the place of the partner's other offer", () => 'hall/1', tver),
    ],
  },
  'POST /partner/api/checkin/register': {
    ...cashDesk,
    permissions: { reads: ['CHECKIN#*', 'CHECKINS#*'], writes: ['CHECKIN#*', 'CHECKINS#*'] },
    offer: true,
    request: async ({ freshCheckIn }) => json({ checkinNumber: await freshCheckIn() }),
    foreignIds: [
      checkIn("another partner's check-in", ({ foreign }) => foreign.checkinNumber),
      checkIn("the check-in of the partner's other offer", ({ own }) => own.checkinNumber, tver),
    ],
  },
  'GET /callbacks': {
    permissions: { reads: ['CALLBACKS#*', 'DELIVERED#*', ...readsMessages], 'index listed': ['Query'] },
  },
  'GET /callbacks/feed': { permissions: { reads: ['DELIVERED#*', 'MSG#*', 'BULK#*'] } },
  'POST /callbacks/replay': {
    endedKey: 'refused',
    permissions: {
      reads: ['ENDPOINT#*', 'CALLBACKS#*'],
      writes: ['ENDPOINT#*', 'CALLBACKS#*', 'REPLAYS#*'],
      'index listed': ['Query'],
    },
    before: ({ signedByOne }) => signedByOne(),
    body: { status: 'failed' },
  },
  'GET /callbacks/endpoint': {
    permissions: { reads: ['ENDPOINT#*', 'EVENTS#*', 'EXAMINED#*'], 'index listed': ['Query'] },
  },
  'PUT /callbacks/endpoint': {
    ...changesEndpoint,
    before: ({ signedByOne }) => signedByOne(),
    body: { timeoutSeconds: 20, basic: { login: 'wallet', password: endpointPassword } },
  },
  'POST /callbacks/endpoint/enable': { ...changesEndpoint, before: ({ disabled }) => disabled() },
  'POST /callbacks/endpoint/disable': { ...changesEndpoint, before: ({ signedByOne }) => signedByOne() },
  'POST /callbacks/endpoint/rotate': { ...changesEndpoint, before: ({ signedByOne }) => signedByOne() },
  'POST /callbacks/endpoint/retire': { ...changesEndpoint, before: ({ signedByTwo }) => signedByTwo() },
  'POST /callbacks/test': {
    ...testsEndpoint,
    before: ({ roomForTests }) => roomForTests(),
    body: { state: 'OPENED' },
  },
  'POST /callbacks/examine': {
    endedKey: 'refused',
    permissions: { reads: ['ENDPOINT#*'], writes: ['EVENTS#*', 'EXAMINATIONS#*', 'EXAMINED#*'] },
    before: ({ signedByOne, roomForTests }) => Promise.all([signedByOne(), roomForTests()]),
  },
  'GET /events': { permissions: { reads: ['EVENTS#*'] } },
  'GET /alerts': {
    permissions: { reads: ['ENDPOINT#*', 'ACCOUNT#*'] },
    before: ({ withAlerts }) => withAlerts(),
  },
  'PUT /alerts': { ...changesEndpoint, body: { url: 'https://hooks.example/' } },
  'DELETE /alerts': { ...changesEndpoint, before: ({ withAlerts }) => withAlerts() },
  'POST /alerts/test': {
    ...testsEndpoint,
    before: ({ withAlerts, roomForTests }) => Promise.all([withAlerts(), roomForTests()]),
  },
  'GET /keys': { permissions: { reads: keyRows } },
  'GET /keys/self': { roles: ['cash-desk', 'catalog', 'messages'], permissions: { reads: ['ACCOUNT#*'] } },
  'POST /keys': {
    permissions: { reads: keyRows, writes: [...keyRows, 'EVENTS#*'] },
    before: ({ roomForKeys }) => roomForKeys(),
    body: { role: 'observer' },
  },
  'POST /keys/{login}/rotate': {
    permissions: { reads: keyRows, writes: ['ACCOUNT#*', 'EVENTS#*'] },
    request: async ({ freshKey }) => ({ path: `/keys/${await freshKey()}/rotate` }),
    foreignIds: keys((login) => ({ path: `/keys/${login}/rotate` })),
  },
  'POST /keys/{login}/retire': {
    permissions: { reads: keyRows, writes: ['ACCOUNT#*', 'EVENTS#*'] },
    request: async ({ freshKey }) => ({ path: `/keys/${await freshKey('rotating')}/retire` }),
    foreignIds: keys((login) => ({ path: `/keys/${login}/retire` })),
  },
  'DELETE /keys/{login}': {
    permissions: { reads: keyRows, writes: [...keyRows, 'EVENTS#*'] },
    request: async ({ freshKey }) => ({ path: `/keys/${await freshKey()}` }),
    foreignIds: keys((login) => ({ path: `/keys/${login}` })),
  },
  'POST /push/delivery': {
    ...sends,
    permissions: {
      reads: [...readsSend, 'MSG#*'],
      writes: ['RATE#*', 'DEADLINE#*', 'MSG#*', 'EVENTS#*'],
    },
    body: single,
  },
  'POST /push/bulk/single': { ...sends, permissions: bulkPermissions, body: bulk },
  'POST /bulk/single': { ...sends, body: bulk },
  'POST /push/bulk/multi': { ...sends, permissions: bulkPermissions, body: [single] },
  'POST /bulk/multi': { ...sends, body: [single] },
  'GET /push/{messageId}/transactional-state': {
    ...sends,
    permissions: { reads: readsMessages },
    request: ({ own }) => ({ path: `/push/${own.messageId}/transactional-state` }),
    foreignIds: messages((id) => ({ path: `/push/${id}/transactional-state` })),
  },
  'GET /push/{messageId}/report': {
    ...sends,
    permissions: { reads: readsMessages, writes: ['REPORTS#*'] },
    request: ({ own }) => ({ path: `/push/${own.bulkMessageId}/report` }),
    foreignIds: messages((id) => ({ path: `/push/${id}/report` })),
  },
  'POST /push/{messageId}/cancel': {
    ...sends,
    endedKey: 'refused',
    permissions: {
      reads: readsMessages,
      writes: ['DEADLINE#*', ...readsMessages, 'EVENTS#*'],
      Deadlines: ['SendMessage'],
      PushCancellations: ['SendMessage'],
    },
    body: { of: 'send' },
    request: ({ own }) => ({ path: `/push/${own.bulkMessageId}/cancel` }),
    foreignIds: ['message', 'send'].flatMap((of) =>
      messages((id) => ({ path: `/push/${id}/cancel`, ...json({ of }) })),
    ),
  },
  'GET /push': { ...sends, permissions: { reads: ['SENDS#*', 'BULK#*'] } },
  'GET /promos': { ...catalog, permissions: { reads: ['PROMOS#*'] } },
  'GET /promo/v1/all': { ...catalog, permissions: { reads: ['PROMOS#*'] } },
  'GET /promo/v1/details': {
    ...catalog,
    permissions: { reads: ['PROMOS#*'] },
    request: ({ own }) => ({ path: `/promo/v1/details?promoId=${own.promoId}` }),
    foreignIds: promotions((id) => ({ path: `/promo/v1/details?promoId=${id}` })),
  },
  'POST /promo/v1/create': {
    ...catalog,
    endedKey: 'refused',
    permissions: { reads: ['PROMOS#*'], writes: ['EVENTS#*', 'PROMOCOUNTER#*', 'PROMOS#*'] },
    body: { name: 'Two for one', startDate: '2020-01-01T00:00:00+03' },
  },
  'POST /promo/v1/update': {
    ...catalog,
    endedKey: 'refused',
    permissions: { reads: ['PROMOS#*'], writes: ['EVENTS#*', 'PROMOS#*'] },
    request: ({ own }) => json({ promoId: own.promoId, name: 'Two for one' }),
    foreignIds: promotions((promoId) => json({ promoId, name: 'Two for one' })),
  },
  ...walletCases,
};

/** Every route with a request whose response is 200, and with every id in it that could belong to another owner. */
export const accessCases: Readonly<Record<string, AccessCase>> = Object.fromEntries(
  Object.entries(listed).map(([route, { request, before, body, ...access }]): [string, AccessCase] => [
    route,
    {
      caller: 'partner',
      foreignIds: [],
      ...access,
      request: async (fixture) => {
        await before?.(fixture);
        const given = body === undefined ? {} : json(body);
        return { path: pathOf(route), ...given, ...(await request?.(fixture)) };
      },
    },
  ]),
);

export function pathOf(route: string): string {
  return route.split(' ')[1] ?? '';
}

/** Sends the allowed request of the route, or another one to it, with these headers. */
export async function sendTo(
  route: string,
  fixture: AccessFixture,
  { headers, request }: { headers: NonNullable<RawRequest['headers']>; request?: Request },
): Promise<RawResponse> {
  const sent = request ?? (await accessCases[route]?.request(fixture));
  if (!sent) throw new Error(`${route} has no access case: add one to access-cases.ts`);
  const [method = ''] = route.split(' ');
  const type = sent.body === undefined ? {} : { 'content-type': 'application/json' };
  return sendRaw(fixture.baseUrl, { method, ...sent, headers: { ...type, ...sent.headers, ...headers } });
}
