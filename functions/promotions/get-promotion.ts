import * as z from 'zod/mini';
import { partner } from '../../shared/partners/callers.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { PromotionDetails, toDetails, unknownPromotion } from '../../shared/promotions/promotion.ts';
import { promotionStore } from '../../shared/promotions/promotion-store.ts';

const PromoIdInput = z
  .pipe(
    z.string().check(z.regex(/^0*[1-9]\d{0,9}$/, 'must be a whole number above 0, of 10 digits at most')),
    z.transform(Number),
  )
  .register(z.globalRegistry, {
    type: 'integer',
    minimum: 1,
    maximum: 9_999_999_999,
    pattern: undefined,
    description: 'Identifier of the promotion',
    example: 17,
  });

export const getPromotionOperation = operation({
  id: 'GetPromotion',
  contractId: 'D3',
  route: 'GET /promo/v1/details',
  caller: partner(['catalog']),
  query: z.object({ promoId: PromoIdInput }),
  response: PromotionDetails,
  failures: ['PROMO_NOT_FOUND'],
});

/** D3: all fields of one promotion of the partner. */
export function getPromotion(deps = httpDeps({ promotions: promotionStore })) {
  return httpHandler(getPromotionOperation, deps, async ({ partnerId, query: { promoId }, addFields }) => {
    addFields({ promoId });
    const promotion = await deps.promotions.find(partnerId, promoId);
    if (!promotion) return unknownPromotion(promoId);
    return ok(toDetails(promotion, deps.clock.now()));
  });
}
