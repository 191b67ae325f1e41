import { partner } from '../../shared/partners/callers.ts';
import { liveKeyHandler, liveKeys } from '../../shared/partners/live-key.ts';
import { fail } from '../../shared/platform/http/failures.ts';
import { httpDeps, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { changeOfPromotion } from '../../shared/platform/limits/request-budget.ts';
import { maxPromotions, PromotionReference, statusOf } from '../../shared/promotions/promotion.ts';
import { CreatePromotionRequest, withoutEffect } from '../../shared/promotions/promotion-requests.ts';
import { promotionStore } from '../../shared/promotions/promotion-store.ts';

export const createPromotionOperation = operation({
  id: 'CreatePromotion',
  contractId: 'D4',
  route: 'POST /promo/v1/create',
  caller: partner(['catalog']),
  requests: changeOfPromotion,
  body: CreatePromotionRequest,
  withoutEffect,
  response: PromotionReference,
  failures: ['ROLE_FORBIDDEN', 'PROMO_LIMIT_EXCEEDED'],
});

const limitReached = `promotions: there are ${maxPromotions}, which is the most; change one that has ended, by POST /promo/v1/update`;

/** D4: creates a promotion, with the next number of the partner; under an Idempotency-Key once. */
export function createPromotion(deps = httpDeps({ promotions: promotionStore, keys: liveKeys })) {
  return liveKeyHandler(createPromotionOperation, deps, async (call) => {
    const { partnerId, key, operationToken, repeatOf, body, addFields } = call;
    const made = repeatOf && (await deps.promotions.findMadeBy(partnerId, repeatOf));
    const promoId = made
      ? made.promoId
      : await deps.promotions.create(partnerId, body, {
          madeBy: operationToken,
          by: key.login,
          atMs: deps.clock.now(),
        });
    if (promoId === undefined) return fail('PROMO_LIMIT_EXCEEDED', limitReached);
    addFields({ promoId, ...(made ? { repeat: true } : {}) });
    return ok({ promoId, status: statusOf(made || body, deps.clock.now()) });
  });
}
