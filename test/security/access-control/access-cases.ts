import type { AccessFixture, FixtureOfTwo } from './access-fixture.ts';
import type { RawRequest } from './raw-request.ts';

/** A request of bars whose response is 200 once it has credentials and an offer. */
type Request = Omit<RawRequest, 'method' | 'headers'> & { body?: string; headers?: Record<string, string> };

/** An id in a request that belongs to another owner, and the response to an id that does not exist. */
type ForeignId = {
  what: string;
  /** The id of another partner or offer. */
  foreign: (fixture: FixtureOfTwo) => string | number;
  /** An id that does not exist. */
  unknown: string | number;
  request: (id: string | number) => Request;
  /** The response to both ids, with `ID` in place of the requested id. */
  refusal: { status: 404; body: string };
  /** The offer to send instead of bars-of-moscow. */
  offerId?: string;
};

export type AccessCase = {
  caller: 'partner' | 'wallet' | 'anybody';
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
  request: (fixture: AccessFixture) => Request | Promise<Request>;
  foreignIds: readonly ForeignId[];
};

function json(value: unknown): { body: string } {
  return { body: JSON.stringify(value) };
}

const unknownId = '00000000-0000-4000-8000-000000000000';
const content = { pushType: 'SERVICE', payload: { title: 'Bar', message: 'Ready' } };
const single = { ...content, msisdn: 79_001_234_567 };
const bulk = { ...content, msisdn: [79_001_234_567] };

function refusal(status: string, sentence: string): ForeignId['refusal'] {
  return {
    status: 404,
    body: JSON.stringify({ status, errors: [sentence] }),
  };
}

const sessionRefusal = refusal('SESSION_NOT_FOUND', 'sessionId: ID is not a session of this offer');
const placeRefusal = refusal('PLACE_NOT_FOUND', 'placeId: ID is not a service point of this offer');
const checkInRefusal = refusal('CHECKIN_NOT_FOUND', 'checkinNumber: ID is not a check-in of this offer');
const messageRefusal = refusal('MESSAGE_NOT_FOUND', 'messageId: ID is not a message of this account');
const promoRefusal = refusal('PROMO_NOT_FOUND', 'promoId: ID is not a promotion of this partner');
const offerRefusal = refusal('OFFER_NOT_FOUND', 'offerId: ID is not a loyalty program of this service');
const walletPlaceRefusal = refusal('PLACE_NOT_FOUND', 'placeId: ID is not a service point of the offer');

function session(id: string | number): Request {
  return { path: `/places/sync/${id}` };
}

function checkIns(id: string | number): Request {
  return { path: `/partner/api/place/${id}/checkins` };
}

function history(id: string | number): Request {
  return { path: `/push/${id}/transactional-state` };
}

function report(id: string | number): Request {
  return { path: `/push/${id}/report` };
}

function cancel(id: string | number): Request {
  return { path: `/push/${id}/cancel`, ...json({ of: 'message' }) };
}

function register(checkinNumber: string | number): Request {
  return {
    path: '/partner/api/checkin/register',
    ...json({ checkinNumber }),
  };
}

function open(offerId: unknown, placeId: unknown, side: 'wallet' | 'sandbox' = 'wallet'): Request {
  return {
    path: `/${side}/check-ins`,
    ...json({ offerId, placeId, cardNumber: 'card' }),
  };
}

function phone(msisdn = single.msisdn): Request {
  return { path: `/sandbox/phones/${msisdn}` };
}

function openOnPhone(messageId: string | number): Request {
  return { path: `/sandbox/phones/${single.msisdn}/messages/${messageId}/open` };
}

function update(promoId: string | number): Request {
  return {
    path: '/promo/v1/update',
    ...json({ promoId, name: 'Two for one' }),
  };
}

function foreignKey(request: ForeignId['request']): ForeignId {
  return {
    what: "another partner's key",
    foreign: () => 'bakery',
    unknown: 'nobodys-key',
    request,
    refusal: refusal('KEY_NOT_FOUND', 'login: ID is not a key of this account'),
  };
}

const create = json({ name: 'Two for one', startDate: '2020-01-01T00:00:00+03' });
const list = json({ places: [{ itemId: 'place-1', placeInfo: { address: 'Arbat, 1' } }], dryRun: true });

/** Every route with a request whose response is 200, and with every id in it that could belong to another owner. */
export const accessCases: Readonly<Record<string, AccessCase>> = {
  'POST /places/sync': {
    caller: 'partner',
    permissions: { reads: ['SYNC#*'], writes: ['SYNC#*', 'LIST#*'], PlacesSync: ['SendMessage'] },
    offer: true,
    request: () => ({ path: '/places/sync', ...list }),
    foreignIds: [],
  },
  'GET /places/sync/{sessionId}': {
    caller: 'partner',
    permissions: { reads: ['SYNC#*', 'SYNCERRORS#*', 'SYNCCHANGES#*'] },
    offer: true,
    request: ({ own }) => session(own.sessionId),
    foreignIds: [
      {
        what: "another partner's session",
        foreign: ({ foreign }) => foreign.sessionId,
        unknown: unknownId,
        request: session,
        refusal: sessionRefusal,
      },
      {
        what: "the session of the partner's other offer",
        foreign: ({ own }) => own.sessionId,
        unknown: unknownId,
        request: session,
        refusal: sessionRefusal,
        offerId: 'bars-of-tver',
      },
    ],
  },
  'GET /places/sync': {
    caller: 'partner',
    permissions: { reads: ['SYNC#*'] },
    offer: true,
    request: () => ({ path: '/places/sync' }),
    foreignIds: [],
  },
  'GET /places': {
    caller: 'partner',
    permissions: { reads: ['PLACES#*'] },
    offer: true,
    request: () => ({ path: '/places' }),
    foreignIds: [],
  },
  'GET /partner/api/place/{placeId}/checkins': {
    caller: 'partner',
    permissions: { reads: ['CHECKINS#*', 'PLACES#*'] },
    offer: true,
    request: () => checkIns('place-1'),
    foreignIds: [
      {
        what: "another partner's place",
        foreign: () => 'bakery-only',
        unknown: 'nobodys-place',
        request: checkIns,
        refusal: placeRefusal,
      },
      {
        what: "the place of the partner's other offer",
        foreign: () => 'place-1',
        unknown: 'nobodys-place',
        request: checkIns,
        refusal: placeRefusal,
        offerId: 'bars-of-tver',
      },
    ],
  },
  'GET /partner/api/place/{proxy+}': {
    caller: 'partner',
    permissions: { reads: ['CHECKINS#*', 'PLACES#*'] },
    offer: true,
    request: () => checkIns('hall%2F1'),
    foreignIds: [
      {
        what: "another partner's place",
        foreign: () => 'bakery/only',
        unknown: 'nobodys/place',
        request: checkIns,
        refusal: placeRefusal,
      },
      {
        what: "the place of the partner's other offer",
        foreign: () => 'hall/1',
        unknown: 'nobodys/place',
        request: checkIns,
        refusal: placeRefusal,
        offerId: 'bars-of-tver',
      },
    ],
  },
  'POST /partner/api/checkin/register': {
    caller: 'partner',
    permissions: { reads: ['CHECKIN#*', 'CHECKINS#*'], writes: ['CHECKIN#*', 'CHECKINS#*'] },
    offer: true,
    request: async ({ freshCheckIn }) => register(await freshCheckIn()),
    foreignIds: [
      {
        what: "another partner's check-in",
        foreign: ({ foreign }) => foreign.checkinNumber,
        unknown: 999_999,
        request: register,
        refusal: checkInRefusal,
      },
      {
        what: "the check-in of the partner's other offer",
        foreign: ({ own }) => own.checkinNumber,
        unknown: 999_999,
        request: register,
        refusal: checkInRefusal,
        offerId: 'bars-of-tver',
      },
    ],
  },
  'GET /callbacks': {
    caller: 'partner',
    permissions: {
      reads: ['CALLBACKS#*', 'DELIVERED#*', 'MSG#*', 'BULK#*', 'STATES#*'],
      'index listed': ['Query'],
    },
    request: () => ({ path: '/callbacks' }),
    foreignIds: [],
  },
  'GET /callbacks/feed': {
    caller: 'partner',
    permissions: { reads: ['DELIVERED#*', 'MSG#*', 'BULK#*'] },
    request: () => ({ path: '/callbacks/feed' }),
    foreignIds: [],
  },
  'POST /callbacks/replay': {
    caller: 'partner',
    endedKey: 'refused',
    permissions: {
      reads: ['ENDPOINT#*', 'CALLBACKS#*'],
      writes: ['ENDPOINT#*', 'CALLBACKS#*', 'REPLAYS#*'],
      'index listed': ['Query'],
    },
    request: async ({ signedByOne }) => {
      await signedByOne();
      return { path: '/callbacks/replay', ...json({ status: 'failed' }) };
    },
    foreignIds: [],
  },
  'GET /callbacks/endpoint': {
    caller: 'partner',
    permissions: { reads: ['ENDPOINT#*', 'EVENTS#*', 'EXAMINED#*'], 'index listed': ['Query'] },
    request: () => ({ path: '/callbacks/endpoint' }),
    foreignIds: [],
  },
  'PUT /callbacks/endpoint': {
    caller: 'partner',
    endedKey: 'refused',
    permissions: { reads: ['ENDPOINT#*'], writes: ['ENDPOINT#*', 'EVENTS#*'] },
    request: () => ({ path: '/callbacks/endpoint', ...json({ timeoutSeconds: 20 }) }),
    foreignIds: [],
  },
  'POST /callbacks/endpoint/enable': {
    caller: 'partner',
    endedKey: 'refused',
    permissions: { reads: ['ENDPOINT#*'], writes: ['ENDPOINT#*', 'EVENTS#*'] },
    request: () => ({ path: '/callbacks/endpoint/enable' }),
    foreignIds: [],
  },
  'POST /callbacks/endpoint/disable': {
    caller: 'partner',
    endedKey: 'refused',
    permissions: { reads: ['ENDPOINT#*'], writes: ['ENDPOINT#*', 'EVENTS#*'] },
    request: () => ({ path: '/callbacks/endpoint/disable' }),
    foreignIds: [],
  },
  'POST /callbacks/endpoint/rotate': {
    caller: 'partner',
    endedKey: 'refused',
    permissions: { reads: ['ENDPOINT#*'], writes: ['ENDPOINT#*', 'EVENTS#*'] },
    request: async ({ signedByOne }) => {
      await signedByOne();
      return { path: '/callbacks/endpoint/rotate' };
    },
    foreignIds: [],
  },
  'POST /callbacks/endpoint/retire': {
    caller: 'partner',
    endedKey: 'refused',
    permissions: { reads: ['ENDPOINT#*'], writes: ['ENDPOINT#*', 'EVENTS#*'] },
    request: async ({ signedByTwo }) => {
      await signedByTwo();
      return { path: '/callbacks/endpoint/retire' };
    },
    foreignIds: [],
  },
  'POST /callbacks/test': {
    caller: 'partner',
    endedKey: 'refused',
    permissions: { reads: ['ENDPOINT#*'], writes: ['CALLBACKTESTS#*'] },
    request: async ({ roomForTests }) => {
      await roomForTests();
      return { path: '/callbacks/test', ...json({ state: 'OPENED' }) };
    },
    foreignIds: [],
  },
  'POST /callbacks/examine': {
    caller: 'partner',
    endedKey: 'refused',
    permissions: { reads: ['ENDPOINT#*'], writes: ['EVENTS#*', 'EXAMINATIONS#*', 'EXAMINED#*'] },
    request: async ({ roomForTests }) => {
      await roomForTests();
      return { path: '/callbacks/examine' };
    },
    foreignIds: [],
  },
  'GET /events': {
    caller: 'partner',
    permissions: { reads: ['EVENTS#*'] },
    request: () => ({ path: '/events' }),
    foreignIds: [],
  },
  'GET /alerts': {
    caller: 'partner',
    permissions: { reads: ['ENDPOINT#*', 'ACCOUNT#*'] },
    request: async ({ withAlerts }) => {
      await withAlerts();
      return { path: '/alerts' };
    },
    foreignIds: [],
  },
  'PUT /alerts': {
    caller: 'partner',
    endedKey: 'refused',
    permissions: { reads: ['ENDPOINT#*'], writes: ['ENDPOINT#*', 'EVENTS#*'] },
    request: () => ({ path: '/alerts', ...json({ url: 'https://hooks.example/' }) }),
    foreignIds: [],
  },
  'DELETE /alerts': {
    caller: 'partner',
    endedKey: 'refused',
    permissions: { reads: ['ENDPOINT#*'], writes: ['ENDPOINT#*', 'EVENTS#*'] },
    request: async ({ withAlerts }) => {
      await withAlerts();
      return { path: '/alerts' };
    },
    foreignIds: [],
  },
  'POST /alerts/test': {
    caller: 'partner',
    endedKey: 'refused',
    permissions: { reads: ['ENDPOINT#*'], writes: ['CALLBACKTESTS#*'] },
    request: async ({ withAlerts, roomForTests }) => {
      await withAlerts();
      await roomForTests();
      return { path: '/alerts/test' };
    },
    foreignIds: [],
  },
  'GET /keys': {
    caller: 'partner',
    permissions: { reads: ['ACCOUNT#*', 'PARTNERS'] },
    request: () => ({ path: '/keys' }),
    foreignIds: [],
  },
  'GET /keys/self': {
    caller: 'partner',
    permissions: { reads: ['ACCOUNT#*'] },
    request: () => ({ path: '/keys/self' }),
    foreignIds: [],
  },
  'POST /keys': {
    caller: 'partner',
    permissions: { reads: ['ACCOUNT#*', 'PARTNERS'], writes: ['ACCOUNT#*', 'EVENTS#*', 'PARTNERS'] },
    request: async ({ roomForKeys }) => {
      await roomForKeys();
      return { path: '/keys', ...json({ role: 'observer' }) };
    },
    foreignIds: [],
  },
  'POST /keys/{login}/rotate': {
    caller: 'partner',
    permissions: { reads: ['ACCOUNT#*', 'PARTNERS'], writes: ['ACCOUNT#*', 'EVENTS#*'] },
    request: async ({ freshKey }) => ({ path: `/keys/${await freshKey()}/rotate` }),
    foreignIds: [foreignKey((login) => ({ path: `/keys/${login}/rotate` }))],
  },
  'POST /keys/{login}/retire': {
    caller: 'partner',
    permissions: { reads: ['ACCOUNT#*', 'PARTNERS'], writes: ['ACCOUNT#*', 'EVENTS#*'] },
    request: async ({ freshKey }) => ({ path: `/keys/${await freshKey('rotating')}/retire` }),
    foreignIds: [foreignKey((login) => ({ path: `/keys/${login}/retire` }))],
  },
  'DELETE /keys/{login}': {
    caller: 'partner',
    permissions: { reads: ['ACCOUNT#*', 'PARTNERS'], writes: ['ACCOUNT#*', 'EVENTS#*', 'PARTNERS'] },
    request: async ({ freshKey }) => ({ path: `/keys/${await freshKey()}` }),
    foreignIds: [foreignKey((login) => ({ path: `/keys/${login}` }))],
  },
  'POST /push/delivery': {
    caller: 'partner',
    permissions: {
      reads: ['MSISDN#*', 'PHONES#*', 'RATE#*', 'MSG#*'],
      writes: ['RATE#*', 'DEADLINE#*', 'MSG#*', 'EVENTS#*'],
    },
    request: () => ({ path: '/push/delivery', ...json(single) }),
    foreignIds: [],
  },
  'POST /push/bulk/single': {
    caller: 'partner',
    permissions: {
      reads: ['MSISDN#*', 'PHONES#*', 'RATE#*', 'BULK#*'],
      writes: ['RATE#*', 'DEADLINE#*', 'BULK#*', 'SENDS#*', 'EVENTS#*'],
    },
    request: () => ({ path: '/push/bulk/single', ...json(bulk) }),
    foreignIds: [],
  },
  'POST /bulk/single': {
    caller: 'partner',
    request: () => ({ path: '/bulk/single', ...json(bulk) }),
    foreignIds: [],
  },
  'POST /push/bulk/multi': {
    caller: 'partner',
    permissions: {
      reads: ['MSISDN#*', 'PHONES#*', 'RATE#*', 'BULK#*'],
      writes: ['RATE#*', 'DEADLINE#*', 'BULK#*', 'SENDS#*', 'EVENTS#*'],
    },
    request: () => ({ path: '/push/bulk/multi', ...json([single]) }),
    foreignIds: [],
  },
  'POST /bulk/multi': {
    caller: 'partner',
    request: () => ({ path: '/bulk/multi', ...json([single]) }),
    foreignIds: [],
  },
  'GET /push/{messageId}/transactional-state': {
    caller: 'partner',
    permissions: { reads: ['MSG#*', 'BULK#*', 'STATES#*'] },
    request: ({ own }) => history(own.messageId),
    foreignIds: [
      {
        what: "another partner's message",
        foreign: ({ foreign }) => foreign.messageId,
        unknown: unknownId,
        request: history,
        refusal: messageRefusal,
      },
      {
        what: "a message of another partner's bulk send",
        foreign: ({ foreign }) => foreign.bulkMessageId,
        unknown: '0d6f3c1a-95b2-8e47-a3d1-7b9e5c2f0000',
        request: history,
        refusal: messageRefusal,
      },
    ],
  },
  'GET /push/{messageId}/report': {
    caller: 'partner',
    permissions: { reads: ['MSG#*', 'BULK#*', 'STATES#*'], writes: ['REPORTS#*'] },
    request: ({ own }) => report(own.bulkMessageId),
    foreignIds: [
      {
        what: "another partner's message",
        foreign: ({ foreign }) => foreign.messageId,
        unknown: unknownId,
        request: report,
        refusal: messageRefusal,
      },
      {
        what: "a message of another partner's bulk send",
        foreign: ({ foreign }) => foreign.bulkMessageId,
        unknown: '0d6f3c1a-95b2-8e47-a3d1-7b9e5c2f0000',
        request: report,
        refusal: messageRefusal,
      },
    ],
  },
  'POST /push/{messageId}/cancel': {
    caller: 'partner',
    endedKey: 'refused',
    permissions: {
      reads: ['MSG#*', 'BULK#*', 'STATES#*'],
      writes: ['DEADLINE#*', 'MSG#*', 'BULK#*', 'STATES#*', 'EVENTS#*'],
      Deadlines: ['SendMessage'],
      PushCancellations: ['SendMessage'],
    },
    request: ({ own }) => cancel(own.bulkMessageId),
    foreignIds: [
      {
        what: "another partner's message",
        foreign: ({ foreign }) => foreign.messageId,
        unknown: unknownId,
        request: cancel,
        refusal: messageRefusal,
      },
      {
        what: "a message of another partner's bulk send",
        foreign: ({ foreign }) => foreign.bulkMessageId,
        unknown: '0d6f3c1a-95b2-8e47-a3d1-7b9e5c2f0000',
        request: cancel,
        refusal: messageRefusal,
      },
    ],
  },
  'GET /push': {
    caller: 'partner',
    permissions: { reads: ['SENDS#*', 'BULK#*'] },
    request: () => ({ path: '/push' }),
    foreignIds: [],
  },
  'GET /promos': {
    caller: 'partner',
    permissions: { reads: ['PROMOS#*'] },
    request: () => ({ path: '/promos' }),
    foreignIds: [],
  },
  'GET /promo/v1/all': {
    caller: 'partner',
    permissions: { reads: ['PROMOS#*'] },
    request: () => ({ path: '/promo/v1/all' }),
    foreignIds: [],
  },
  'GET /promo/v1/details': {
    caller: 'partner',
    permissions: { reads: ['PROMOS#*'] },
    request: ({ own }) => ({ path: `/promo/v1/details?promoId=${own.promoId}` }),
    foreignIds: [
      {
        what: "another partner's promotion",
        foreign: ({ foreign }) => foreign.promoId,
        unknown: 999_999,
        request: (id) => ({ path: `/promo/v1/details?promoId=${id}` }),
        refusal: promoRefusal,
      },
    ],
  },
  'POST /promo/v1/create': {
    caller: 'partner',
    endedKey: 'refused',
    permissions: { reads: ['PROMOS#*'], writes: ['EVENTS#*', 'PROMOCOUNTER#*', 'PROMOS#*'] },
    request: () => ({ path: '/promo/v1/create', ...create }),
    foreignIds: [],
  },
  'POST /promo/v1/update': {
    caller: 'partner',
    endedKey: 'refused',
    permissions: { reads: ['PROMOS#*'], writes: ['EVENTS#*', 'PROMOS#*'] },
    request: ({ own }) => update(own.promoId),
    foreignIds: [
      {
        what: "another partner's promotion",
        foreign: ({ foreign }) => foreign.promoId,
        unknown: 999_999,
        request: update,
        refusal: promoRefusal,
      },
    ],
  },
  'POST /wallet/check-ins': {
    caller: 'wallet',
    permissions: {
      reads: ['OFFER#*', 'PLACES#*', 'CHECKINS#*', 'CHECKIN#*'],
      writes: ['CHECKINCOUNTER#*', 'CHECKIN#*', 'CHECKINS#*'],
    },
    request: () => open('bars-of-moscow', 'place-1'),
    foreignIds: [
      {
        what: "another offer's place",
        foreign: () => 'bakery-only',
        unknown: 'nobodys-place',
        request: (id) => open('bars-of-moscow', id),
        refusal: walletPlaceRefusal,
      },
      {
        what: 'an unknown offer',
        foreign: () => 'nobodys-club',
        unknown: 'nobodys-other-club',
        request: (id) => open(id, 'place-1'),
        refusal: offerRefusal,
      },
    ],
  },
  'POST /sandbox/check-ins': {
    caller: 'partner',
    request: () => open('bars-of-moscow', 'place-1', 'sandbox'),
    foreignIds: [
      {
        what: "another partner's place",
        foreign: () => 'bakery-only',
        unknown: 'nobodys-place',
        request: (id) => open('bars-of-moscow', id, 'sandbox'),
        refusal: walletPlaceRefusal,
      },
    ],
  },
  'GET /sandbox/phones': { caller: 'partner', request: () => ({ path: '/sandbox/phones' }), foreignIds: [] },
  'GET /sandbox/phones/{msisdn}': { caller: 'partner', request: () => phone(), foreignIds: [] },
  'PUT /sandbox/phones/{msisdn}': {
    caller: 'partner',
    endedKey: 'refused',
    request: async ({ onePhone }) => {
      await onePhone();
      return phone();
    },
    foreignIds: [],
  },
  'DELETE /sandbox/phones/{msisdn}': {
    caller: 'partner',
    endedKey: 'refused',
    request: () => phone(79_007_777_777),
    foreignIds: [],
  },
  'POST /sandbox/phones/{msisdn}/messages/{messageId}/open': {
    caller: 'partner',
    request: async ({ own, onePhone }) => {
      await onePhone();
      return openOnPhone(own.messageId);
    },
    foreignIds: [
      {
        what: "a message on another partner's phone of the same number",
        foreign: ({ foreign }) => foreign.messageId,
        unknown: unknownId,
        request: openOnPhone,
        refusal: refusal('MESSAGE_NOT_FOUND', 'messageId: ID is not a message that this phone shows'),
      },
    ],
  },
  'GET /sandbox/callbacks': {
    caller: 'partner',
    request: () => ({ path: '/sandbox/callbacks' }),
    foreignIds: [],
  },
  'PUT /sandbox/callbacks': {
    caller: 'partner',
    endedKey: 'refused',
    request: () => ({ path: '/sandbox/callbacks', ...json({ status: 200 }) }),
    foreignIds: [],
  },
  'POST /sandbox/callbacks/{token}': {
    caller: 'anybody',
    request: ({ signedCallback }) => signedCallback(),
    foreignIds: [],
  },
  'GET /wallet/offers/{offerId}/places': {
    caller: 'wallet',
    permissions: { reads: ['OFFER#*', 'PLACES#*'] },
    request: () => ({ path: '/wallet/offers/bars-of-moscow/places' }),
    foreignIds: [
      {
        what: 'an unknown offer',
        foreign: () => 'nobodys-club',
        unknown: 'nobodys-other-club',
        request: (id) => ({ path: `/wallet/offers/${id}/places` }),
        refusal: offerRefusal,
      },
    ],
  },
  'GET /wallet/offers/{offerId}/promos': {
    caller: 'wallet',
    permissions: { reads: ['OFFER#*', 'PROMOS#*'] },
    request: () => ({ path: '/wallet/offers/bars-of-moscow/promos' }),
    foreignIds: [
      {
        what: 'an unknown offer',
        foreign: () => 'nobodys-club',
        unknown: 'nobodys-other-club',
        request: (id) => ({ path: `/wallet/offers/${id}/promos` }),
        refusal: offerRefusal,
      },
    ],
  },
  'PUT /wallet/recipients': {
    caller: 'wallet',
    permissions: { writes: ['MSISDN#*'] },
    request: () => ({ path: '/wallet/recipients', ...json({ registered: [79_007_654_321] }) }),
    foreignIds: [],
  },
};
