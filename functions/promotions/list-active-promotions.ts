import * as z from 'zod/mini';
import { partner } from '../../shared/partners/callers.ts';
import { fail, isFailure } from '../../shared/platform/http/failures.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { named } from '../../shared/platform/validation/documented.ts';
import { moreForMany, PromoId, statusOf } from '../../shared/promotions/promotion.ts';
import { promotionStore } from '../../shared/promotions/promotion-store.ts';

const ActivePromotion = named('ActivePromotion', { id: PromoId, name: z.string(), active: z.literal(true) });

export const listActivePromotionsOperation = operation({
  id: 'ListActivePromotions',
  contractId: 'D1',
  route: 'GET /promos',
  caller: partner(['catalog']),
  response: named('ActivePromotions', { promos: z.array(ActivePromotion) }),
  failures: ['NO_ACTIVE_PROMOTIONS', 'REQUEST_LIMIT_EXCEEDED'],
  emptyBodyFor: ['NO_ACTIVE_PROMOTIONS'],
});

/** D1: the partner's active promotions, newest start first. */
export function listActivePromotions(deps = httpDeps({ promotions: promotionStore })) {
  return httpHandler(listActivePromotionsOperation, deps, async ({ partnerId, takeFrom, addFields }) => {
    const nowMs = deps.clock.now();
    const all = await deps.promotions.list(partnerId, () => takeFrom('others', moreForMany));
    if (isFailure(all)) return all;
    const active = all.filter((promotion) => statusOf(promotion, nowMs) === 'active');
    addFields({ promotions: all.length, active: active.length });
    if (active.length === 0) return fail('NO_ACTIVE_PROMOTIONS', 'promos: none is active at this moment');
    const promos = active.map(({ promoId, name }) => ({ id: promoId, name, active: true as const }));
    return ok({ promos });
  });
}
