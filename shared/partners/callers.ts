import * as z from 'zod/mini';
import type { Caller, Event } from '../http/caller.ts';
import { type Failure, fail } from '../http/failures.ts';
import { PartnerLimits } from './partner-limits.ts';

/** What the authorizer passes to every endpoint for partners. */
const PartnerContext = z.object({
  partnerId: z.string().check(z.minLength(1)),
  offerIds: z.array(z.string().check(z.minLength(1))),
  limits: z._default(PartnerLimits, {}),
});
export type PartnerContext = z.infer<typeof PartnerContext>;

/** `limits` are those agreed with the partner; absent members are the service's defaults. */
type Partner = { limits: PartnerLimits };

/** A partner, by HTTP Basic. */
export const partner: Caller<Partner> = {
  authorization: 'basic',
  failures: [],
  identify: (event) => {
    const { partnerId, limits } = contextOf(event);
    return { callerId: partnerId, who: { limits } };
  },
};

/** A partner that names one of its loyalty programs in the header offerId. */
export const partnerWithOffer: Caller<Partner & { offerId: string }> = {
  authorization: 'basic',
  header: 'offerId',
  failures: ['REQUEST_INVALID', 'OFFER_FORBIDDEN'],
  identify: (event) => {
    const { partnerId, offerIds, limits } = contextOf(event);
    const offerId = event.headers['offerid'];
    if (!offerId) return missingOffer;
    if (!offerIds.includes(offerId)) return foreignOffer;
    return { callerId: partnerId, scope: offerId, fields: { offerId }, who: { limits, offerId } };
  },
};

/** The wallet platform, by IAM. */
export const wallet: Caller<object> = {
  authorization: 'iam',
  failures: [],
  identify: () => ({ callerId: 'wallet', who: {} }),
};

const missingOffer: Failure = fail(
  'REQUEST_INVALID',
  'offerId: header required, send the identifier of your loyalty program',
);

const foreignOffer: Failure = fail('OFFER_FORBIDDEN', 'offerId: is not a loyalty program of this account');

/** Throws when the gateway did not run the authorizer: such a route is our mistake and must be answered 500. */
function contextOf(event: Event): PartnerContext {
  return PartnerContext.parse(event.requestContext.authorizer?.lambda);
}
