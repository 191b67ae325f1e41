import type { AccessFixture, FixtureOfTwo } from './access-fixture.ts';
import type { RawRequest } from './raw-request.ts';

/** A request of bars whose response is 200 once it has credentials and an offer. */
export type Request = Omit<RawRequest, 'method' | 'headers'> & {
  body?: string;
  headers?: Record<string, string>;
};

/** An id in a request that belongs to another owner, and the response to an id that does not exist. */
export type ForeignId = {
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

export type Listed = {
  /** The default is `partner`. */
  caller?: 'partner' | 'wallet' | 'anybody';
  /** The roles that may call it beside `full`, and beside `observer`, which may call every GET. */
  roles?: readonly ('cash-desk' | 'catalog' | 'messages')[];
  /**
   * Everything that the operation's function may do: the partitions that it reads and writes, and its actions in
   * other places, by place. It may also do what all operations with this caller, method or `endedKey` may, and write its
   * own log and traces.
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

export function json(value: unknown): { body: string } {
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
export const single = { ...content, msisdn: 79_001_234_567 };
export const bulk = { ...content, msisdn: [79_001_234_567] };
export const tver = 'bars-of-tver';
export const session = idsOf({
  status: 'SESSION_NOT_FOUND',
  sentence: 'sessionId: ID is not a session of this offer',
  unknown: unknownId,
  request: (id) => ({ path: `/places/sync/${id}` }),
});

const ofThisOffer = {
  status: 'PLACE_NOT_FOUND',
  sentence: 'placeId: ID is not a service point of this offer',
};
export function checkIns(id: string | number) {
  return { path: `/partner/api/place/${id}/checkins` };
}
export const place = idsOf({ ...ofThisOffer, unknown: 'nobodys-place', request: checkIns });
export const placeWithSlash = idsOf({ ...ofThisOffer, unknown: 'nobodys/place', request: checkIns });

export const checkIn = idsOf({
  status: 'CHECKIN_NOT_FOUND',
  sentence: 'checkinNumber: ID is not a check-in of this offer',
  unknown: 999_999,
  request: (checkinNumber) => ({ path: '/partner/api/checkin/register', ...json({ checkinNumber }) }),
});

/** Another partner's message, and a message of its bulk send. */
export function messages(request: ForeignId['request']): ForeignId[] {
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

export function promotions(request: ForeignId['request']): ForeignId[] {
  const sentence = 'promoId: ID is not a promotion of this partner';
  const promotion = idsOf({ status: 'PROMO_NOT_FOUND', sentence, unknown: 999_999, request });
  return [promotion("another partner's promotion", ({ foreign }) => foreign.promoId)];
}

export function keys(request: ForeignId['request']): ForeignId[] {
  const sentence = 'login: ID is not a key of this account';
  const key = idsOf({ status: 'KEY_NOT_FOUND', sentence, unknown: 'nobodys-key', request });
  return [key("another partner's key", () => 'bakery')];
}

export function open(side: 'wallet' | 'sandbox', offerId: unknown, placeId: unknown) {
  return { path: `/${side}/check-ins`, ...json({ offerId, placeId, cardNumber: '9643907500000012' }) };
}

export function openedPlaces(side: 'wallet' | 'sandbox'): ForeignId[] {
  const sentence = 'placeId: ID is not a service point of the offer';
  const request = (id: string | number) => open(side, 'bars-of-moscow', id);
  const opened = idsOf({ status: 'PLACE_NOT_FOUND', sentence, unknown: 'nobodys-place', request });
  return [opened("a service point of another offer's partner", () => 'bakery-only')];
}

export function offers(request: ForeignId['request']): ForeignId[] {
  const sentence = 'offerId: ID is not a loyalty program of this service';
  const offer = idsOf({ status: 'OFFER_NOT_FOUND', sentence, unknown: 'nobodys-other-club', request });
  return [offer('an unknown offer', () => 'nobodys-club')];
}

export function openOnPhone(messageId: string | number) {
  return { path: `/sandbox/phones/${single.msisdn}/messages/${messageId}/open` };
}
export const shownMessage = idsOf({
  status: 'MESSAGE_NOT_FOUND',
  sentence: 'messageId: ID is not a message that this phone shows',
  unknown: unknownId,
  request: openOnPhone,
});

export const cashDesk = { roles: ['cash-desk'] } as const;
export const sends = { roles: ['messages'] } as const;
