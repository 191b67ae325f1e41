import * as z from 'zod/mini';
import { type Failure, fail, isFailure } from '../platform/http/failures.ts';
import type { Caller, GatewayEvent, Identified } from '../platform/http/operation.ts';
import { isAmong } from './allowed-places.ts';
import type { ActingKey } from './key-rules.ts';
import { PartnerLimits } from './partner-limits.ts';
import { allowedTo, mayCall, type OpenTo, Role, rolesFor } from './role.ts';

/** The context that the authorizer passes to every operation for partners. */
const PartnerContext = z.object({
  partnerId: z.string().check(z.minLength(1)),
  /** The key of the request. */
  login: z.string().check(z.minLength(1)),
  secretCreatedAt: z.number(),
  role: Role,
  /** The offers that requests with this key may name. */
  offerIds: z.array(z.string().check(z.minLength(1))),
  /** Whether the key is limited to offers, even if it names all. */
  limited: z._default(z.boolean(), false),
  limits: z._default(PartnerLimits, {}),
  /** The service points that the key is limited to, packed. */
  places: z.optional(z.string()),
});
export type PartnerContext = z.infer<typeof PartnerContext>;

/** `limits` are those agreed with the partner; absent members are the service's defaults. */
export type Partner = {
  partnerId: string;
  key: ActingKey;
  role: Role;
  limits: PartnerLimits;
  ownOfferIds: readonly string[];
  /** Whether the key is limited to these offers. */
  limited: boolean;
  /** Whether the key may use a service point. */
  mayUsePlace: (placeId: string) => boolean;
};

/**
 * Which keys that are limited to offers may call an operation that is not about one offer: none, because what it is about
 * belongs to the whole partner; full ones, which it shows and lets change only what is within their limits; or every one.
 */
type LimitedKeys = 'none' | 'full' | 'all';

/** A partner, by HTTP Basic, with a key that the operation is open to. */
export function partner(openTo: OpenTo, limitedKeys: LimitedKeys = 'none'): Caller<Partner> {
  return {
    authorization: 'basic',
    rolesFor: (method) => rolesFor(method, openTo),
    failures: ['ROLE_FORBIDDEN', ...(limitedKeys === 'all' ? [] : (['OFFER_FORBIDDEN'] as const))],
    identify: (event) => {
      const caller = identified(event, openTo);
      if (isFailure(caller)) return caller;
      const { limited, role } = caller.who;
      const isOutside = limited && (limitedKeys === 'none' || (limitedKeys === 'full' && role !== 'full'));
      return isOutside ? wholePartnerForbidden : caller;
    },
  };
}

/** A partner that names one of its loyalty programs in the header offerId. */
export function partnerWithOffer(openTo: OpenTo): Caller<Partner & { offerId: string }> {
  return {
    ...partner(openTo),
    header: 'offerId',
    failures: ['ROLE_FORBIDDEN', 'REQUEST_INVALID', 'OFFER_FORBIDDEN'],
    identify: (event) => {
      const caller = identified(event, openTo);
      return isFailure(caller) ? caller : withOffer(event, caller);
    },
  };
}

function withOffer(
  event: GatewayEvent,
  caller: Identified<Partner>,
): Identified<Partner & { offerId: string }> | Failure {
  const offerId = event.headers['offerid'];
  if (!offerId) return missingOffer;
  if (offerId.includes(',')) return severalOffers;
  if (!caller.who.ownOfferIds.includes(offerId)) return foreignOffer;
  const { fields, who } = caller;
  const scope = `${offerId}${caller.scope}`;
  return { ...caller, scope, fields: { ...fields, offerId }, who: { ...who, offerId } };
}

/** The wallet platform, by IAM. Its requests have no budget. */
export const wallet: Caller<object> = {
  authorization: 'iam',
  failures: [],
  identify: () => ({ callerId: 'wallet', who: {} }),
};

const missingOffer: Failure = fail(
  'REQUEST_INVALID',
  'offerId: header required, send the identifier of your loyalty program',
);

/** The gateway joins the values of a header that was sent twice. */
const severalOffers: Failure = fail(
  'REQUEST_INVALID',
  'offerId: the header was sent more than once or names several offers, send it once with one of them',
);

export const foreignOffer = fail('OFFER_FORBIDDEN', 'offerId: is not a loyalty program of this account');

export function unknownOffer(offerId: string) {
  return fail('OFFER_NOT_FOUND', `offerId: ${offerId} is not a loyalty program of this service`);
}

/** Rule 50: what belongs to the whole partner is closed to keys that are limited to offers. */
const wholePartnerForbidden = fail(
  'OFFER_FORBIDDEN',
  'offerIds: this key is limited to loyalty programs, and this belongs to the whole account; use a key without limits',
);

/**
 * The one place where keys are refused: by their role, and a service point in the path by their places. Throws when the
 * gateway did not run the authorizer: such a route is our mistake, and its response must be 500.
 */
function identified(event: GatewayEvent, openTo: OpenTo): Identified<Partner> | Failure {
  const context = PartnerContext.parse(event.requestContext.authorizer?.lambda);
  const { partnerId, login, secretCreatedAt, role, offerIds, limited, limits, places } = context;
  if (!mayCall(role, event.requestContext.http.method, openTo))
    return fail('ROLE_FORBIDDEN', `role: this key has the role ${role}, which allows ${allowedTo[role]}`);
  const mayUsePlace = (placeId: string) => places === undefined || isAmong(places, placeId);
  const placeId = event.pathParameters?.['placeId'];
  if (placeId !== undefined && !mayUsePlace(placeId)) return placeForbidden;
  // Two keys share a request only if both reach the same: a repeat continues what the first has begun.
  const ofOffers = limited ? `@${offerIds.toSorted().join()}` : '';
  const ofPlaces = places === undefined ? '' : `#${places}`;
  return {
    callerId: partnerId,
    payer: { partnerId, limits },
    scope: ofOffers + ofPlaces,
    fields: { login },
    who: {
      partnerId,
      key: { login, secretCreatedAt },
      role,
      limits,
      ownOfferIds: offerIds,
      limited,
      mayUsePlace,
    },
  };
}

/** It does not say where a check-in is: a cash desk would learn the place of every number. */
export const placeForbidden = fail('PLACE_FORBIDDEN', 'placeId: this key is limited to other service points');
