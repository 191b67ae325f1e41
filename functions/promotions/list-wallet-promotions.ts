import * as z from 'zod/mini';
import { unknownOffer, wallet } from '../../shared/partners/callers.ts';
import { OfferId } from '../../shared/partners/partner-ids.ts';
import { partnerStore } from '../../shared/partners/partner-store.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { cursor, cursorOf } from '../../shared/platform/validation/cursor.ts';
import { described, named } from '../../shared/platform/validation/documented.ts';
import { queryNumber } from '../../shared/platform/validation/query-number.ts';
import {
  newestFirst,
  PromotionDetails,
  PromotionPosition,
  statusOf,
  toDetails,
} from '../../shared/promotions/promotion.ts';
import { promotionStore } from '../../shared/promotions/promotion-store.ts';

/**
 * A function's response is 6 MiB at most. A promotion takes up to 80 kB (a description of 10,000 characters is 50
 * kB when all are escaped), so 50 take 4 MB.
 */
const Limit = queryNumber({ min: 1, max: 50, standard: 50 });

/** The cursor names the last promotion of the page before, in the order of newestFirst. */
const promotionCursor = { list: 'promotions', position: PromotionPosition };

export const listWalletPromotionsOperation = operation({
  id: 'ListWalletPromotions',
  route: 'GET /wallet/offers/{offerId}/promos',
  caller: wallet,
  path: z.object({ offerId: OfferId }),
  query: z.object({ limit: Limit, cursor: cursor(promotionCursor) }),
  response: named('PromotionDetailsPage', {
    promos: z.array(PromotionDetails),
    cursor: described(z.optional(z.string()), 'There when more promotions follow'),
  }),
  failures: ['OFFER_NOT_FOUND'],
});

/** W3: the active promotions of the partner that owns the offer, with all fields, newest start first. */
export function listWalletPromotions(
  deps = httpDeps({ promotions: promotionStore, partners: partnerStore }),
) {
  return httpHandler(listWalletPromotionsOperation, deps, async (call) => {
    const { path, query, addFields } = call;
    const { offerId } = path;
    const { limit, cursor: after } = query;
    const nowMs = deps.clock.now();
    const offer = await deps.partners.offer(offerId);
    if (!offer) return unknownOffer(offerId);
    addFields({ offerId });
    const all = await deps.promotions.list(offer.partnerId);
    const left = all.filter(
      (promotion) => statusOf(promotion, nowMs) === 'active' && (!after || newestFirst(after, promotion) < 0),
    );
    const page = left.slice(0, limit);
    const promoIds = page.map(({ promoId }) => promoId);
    const promotions = await deps.promotions.findAll(offer.partnerId, promoIds);
    // An update between the two reads may have ended one.
    const promos = promotions
      .map((promotion) => toDetails(promotion, nowMs))
      .filter(({ status }) => status === 'active');
    addFields({ promotions: all.length, returned: promos.length });
    const last = left.length > limit ? page.at(-1) : undefined;
    return ok({ promos, cursor: last && cursorOf(promotionCursor, last) });
  });
}
