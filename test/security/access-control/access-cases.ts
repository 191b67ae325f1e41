import type { AccessFixture, FixtureOfTwo } from './access-fixture.ts';
import { type RawRequest, type RawResponse, sendRaw } from './raw-request.ts';

/** A request of bars whose response is 200 once it has credentials and an offer. */
type Request = Omit<RawRequest, 'method' | 'headers'> & { body?: string; headers?: Record<string, string> };

/** An id in a request that belongs to another owner, and the response to an id that does not exist. */
type ForeignId = {
  what: string;
  /** The id of another partner or offer. */
  foreign: (fixture: FixtureOfTwo) => string | number;
  /** An id that does not exist. */
  unknown: string | number;
  request: (id: string | number) => Partial<Request>;
  /** The body of the response, which is 404, to both ids, with `ID` in place of the requested id. */
  refusal: string;
  /** The offer to send instead of bars-of-moscow. */
  offerId?: string | undefined;
};

type Listed = {
  /** The default is `partner`. */
  caller?: 'partner' | 'wallet' | 'anybody';
  /** The roles that may call it beside `full`, and beside `observer`, which may call every GET. */
  roles?: readonly ('cash-desk' | 'catalog' | 'messages')[];
  /**
   * Everything that the operation's function may do in prod: the partitions that it reads and writes, and its actions in
   * other places, by place. It may also do what all operations with this caller, method or `endedKey` may, and write its
   * own log and traces. Operations of the sandbox, which prod does not have, are in `test/infra/sandbox.test.ts`.
   */
  permissions?: Record<string, string[]>;
  /** True if the header offerId is required. */
  offer?: true;
  /** A change that a key which has ended may not make, although the gateway still lets it in. */
  endedKey?: 'refused';
  /** Prepares what the request needs. */
  before?: (fixture: AccessFixture) => Promise<unknown>;
  body?: unknown;
  /** The parts of the request that differ from the route's path and the body. */
  request?: (fixture: AccessFixture) => Partial<Request> | Promise<Partial<Request>>;
  foreignIds?: readonly ForeignId[];
};

export type AccessCase = Omit<Listed, 'request'> & {
  caller: 'partner' | 'wallet' | 'anybody';
  request: (fixture: AccessFixture) => Promise<Request>;
  foreignIds: readonly ForeignId[];
};

function json(value: unknown): { body: string } {
  return { body: JSON.stringify(value) };
}

/** Describes ids of one kind. The returned function says which of them is foreign, and in which offer. */
function idsOf({
  status,
  sentence,
  ...kind
}: Record<'status' | 'sentence', string> & Omit<IdKind, 'refusal'>) {
  const refusal = JSON.stringify({ status, errors: [sentence] });
  return (what: string, foreign: ForeignId['foreign'], offerId?: string): ForeignId => ({
    what,
    foreign,
    offerId,
    refusal,
    ...kind,
  });
}
type IdKind = Pick<ForeignId, 'unknown' | 'request' | 'refusal'>;

const unknownId = '00000000-0000-4000-8000-000000000000';
const unknownBulkId = '0d6f3c1a-95b2-8e47-a3d1-7b9e5c2f0000';
const content = { pushType: 'SERVICE', payload: { title: 'Bar', message: 'Ready' } };
const single = { ...content, msisdn: 79_001_234_567 };
const bulk = { ...content, msisdn: [79_001_234_567] };
const tver = 'bars-of-tver';
/** The password that the endpoint of bars gets. */
export const endpointPassword = 'correct horse battery staple';

const session = idsOf({
  status: 'SESSION_NOT_FOUND',
  sentence: 'sessionId: ID is not a session of this offer',
  unknown: unknownId,
  request: (id) => ({ path: `/places/sync/${id}` }),
});

const ofThisOffer = {
  status: 'PLACE_NOT_FOUND',
  sentence: 'placeId: ID is not a service point of this offer',
};
function checkIns(id: string | number) {
  return { path: `/partner/api/place/${id}/checkins` };
}
const place = idsOf({ ...ofThisOffer, unknown: 'nobodys-place', request: checkIns });
const placeWithSlash = idsOf({ ...ofThisOffer, unknown: 'nobodys/place', request: checkIns });

const checkIn = idsOf({
  status: 'CHECKIN_NOT_FOUND',
  sentence: 'checkinNumber: ID is not a check-in of this offer',
  unknown: 999_999,
  request: (checkinNumber) => ({ path: '/partner/api/checkin/register', ...json({ checkinNumber }) }),
});

/** Another partner's message, and a message of its bulk send. */
function messages(request: ForeignId['request']): ForeignId[] {
  const kind = {
    status: 'MESSAGE_NOT_FOUND',
    sentence: 'messageId: ID is not a message of this account',
    request,
  };
  return [
    idsOf({ ...kind, unknown: unknownId })("another partner's message", ({ foreign }) => foreign.messageId),
    idsOf({ ...kind, unknown: unknownBulkId })(
      "a message of another partner's bulk send",
      ({ foreign }) => foreign.bulkMessageId,
    ),
  ];
}

function promotions(request: ForeignId['request']): ForeignId[] {
  const sentence = 'promoId: ID is not a promotion of this partner';
  const promotion = idsOf({ status: 'PROMO_NOT_FOUND', sentence, unknown: 999_999, request });
  return [promotion("another partner's promotion", ({ foreign }) => foreign.promoId)];
}

function keys(request: ForeignId['request']): ForeignId[] {
  const sentence = 'login: ID is not a key of this account';
  const key = idsOf({ status: 'KEY_NOT_FOUND', sentence, unknown: 'nobodys-key', request });
  return [key("another partner's key", () => 'bakery')];
}

function open(side: 'wallet' | 'sandbox', offerId: unknown, placeId: unknown) {
  return { path: `/${side}/check-ins`, ...json({ offerId, placeId, cardNumber: '9643907500000012' }) };
}

function openedPlaces(side: 'wallet' | 'sandbox'): ForeignId[] {
  const sentence = 'placeId: ID is not a service point of the offer';
  const request = (id: string | number) => open(side, 'bars-of-moscow', id);
  const opened = idsOf({ status: 'PLACE_NOT_FOUND', sentence, unknown: 'nobodys-place', request });
  return [opened("a service point of another offer's partner", () => 'bakery-only')];
}

function offers(request: ForeignId['request']): ForeignId[] {
  const sentence = 'offerId: ID is not a loyalty program of this service';
  const offer = idsOf({ status: 'OFFER_NOT_FOUND', sentence, unknown: 'nobodys-other-club', request });
  return [offer('an unknown offer', () => 'nobodys-club')];
}

function openOnPhone(messageId: string | number) {
  return { path: `/sandbox/phones/${single.msisdn}/messages/${messageId}/open` };
}
const shownMessage = idsOf({
  status: 'MESSAGE_NOT_FOUND',
  sentence: 'messageId: ID is not a message that this phone shows',
  unknown: unknownId,
  request: openOnPhone,
});

const catalog = { roles: ['catalog'] } as const;
const cashDesk = { roles: ['cash-desk'] } as const;
const sends = { roles: ['messages'] } as const;
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
    foreignIds: messages((id) => ({ path: `/push/${id}/cancel`, ...json({ of: 'message' }) })),
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
  'POST /wallet/check-ins': {
    caller: 'wallet',
    permissions: {
      reads: ['OFFER#*', 'PLACES#*', 'CHECKINS#*', 'CHECKIN#*'],
      writes: ['CHECKINCOUNTER#*', 'CHECKIN#*', 'CHECKINS#*'],
    },
    request: () => open('wallet', 'bars-of-moscow', 'place-1'),
    foreignIds: [...openedPlaces('wallet'), ...offers((id) => open('wallet', id, 'place-1'))],
  },
  'POST /sandbox/check-ins': {
    ...cashDesk,
    request: () => open('sandbox', 'bars-of-moscow', 'place-1'),
    foreignIds: openedPlaces('sandbox'),
  },
  'GET /sandbox/phones': sends,
  'GET /sandbox/phones/{msisdn}': { ...sends, request: () => ({ path: '/sandbox/phones/79001234567' }) },
  'PUT /sandbox/phones/{msisdn}': {
    ...sends,
    endedKey: 'refused',
    before: ({ onePhone }) => onePhone(),
    request: () => ({ path: '/sandbox/phones/79001234567' }),
  },
  'DELETE /sandbox/phones/{msisdn}': {
    ...sends,
    endedKey: 'refused',
    request: () => ({ path: '/sandbox/phones/79007777777' }),
  },
  'POST /sandbox/phones/{msisdn}/messages/{messageId}/open': {
    ...sends,
    before: ({ onePhone }) => onePhone(),
    request: ({ own }) => openOnPhone(own.messageId),
    foreignIds: [
      shownMessage(
        "a message on another partner's phone of the same number",
        ({ foreign }) => foreign.messageId,
      ),
    ],
  },
  'GET /sandbox/callbacks': {},
  'PUT /sandbox/callbacks': { endedKey: 'refused', body: { status: 200 } },
  'POST /sandbox/callbacks/{token}': { caller: 'anybody', request: ({ signedCallback }) => signedCallback() },
  'GET /wallet/offers/{offerId}/places': {
    caller: 'wallet',
    permissions: { reads: ['OFFER#*', 'PLACES#*'] },
    request: () => ({ path: '/wallet/offers/bars-of-moscow/places' }),
    foreignIds: offers((id) => ({ path: `/wallet/offers/${id}/places` })),
  },
  'GET /wallet/offers/{offerId}/promos': {
    caller: 'wallet',
    permissions: { reads: ['OFFER#*', 'PROMOS#*'] },
    request: () => ({ path: '/wallet/offers/bars-of-moscow/promos' }),
    foreignIds: offers((id) => ({ path: `/wallet/offers/${id}/promos` })),
  },
  'PUT /wallet/recipients': {
    caller: 'wallet',
    permissions: { writes: ['MSISDN#*'] },
    body: { registered: [79_007_654_321] },
  },
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
