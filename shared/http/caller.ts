import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod/mini';
import { type Failure, fail } from './failures.ts';

/** What can be agreed with a partner about sending; counted in recipients. */
export const PartnerLimits = z.object({
  pushesPerMinute: z.optional(z.int().check(z.positive())),
  bulkRecipients: z.optional(z.int().check(z.positive())),
  multiMessages: z.optional(z.int().check(z.positive())),
});
export type PartnerLimits = z.infer<typeof PartnerLimits>;

/** What the authorizer hands to every partner endpoint. */
export const PartnerContext = z.object({
  partnerId: z.string().check(z.minLength(1)),
  offerIds: z.array(z.string().check(z.minLength(1))),
  limits: z._default(PartnerLimits, {}),
});
export type PartnerContext = z.infer<typeof PartnerContext>;

type Event = Pick<APIGatewayProxyEventV2, 'headers'> & {
  requestContext: { authorizer?: { lambda?: unknown } };
};

/**
 * The partner behind a request. Throws when the gateway did not run the authorizer: such a route is a mistake
 * of ours and must answer 500, never let anybody in.
 */
export function partnerOf(event: Event): PartnerContext {
  return PartnerContext.parse(event.requestContext.authorizer?.lambda);
}

/** The loyalty program the header offerId names, when it is the partner's own. */
export function offerOf(
  event: Event,
  partner: PartnerContext,
): string | Failure<'REQUEST_INVALID' | 'OFFER_FORBIDDEN'> {
  const offerId = event.headers['offerid'];
  if (!offerId)
    return fail('REQUEST_INVALID', 'offerId: header required, send the identifier of your loyalty program');
  if (!partner.offerIds.includes(offerId)) {
    return fail('OFFER_FORBIDDEN', 'offerId: is not a loyalty program of this account');
  }
  return offerId;
}
