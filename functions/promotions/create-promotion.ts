import { type EndpointDeps, endpoint } from '../../shared/http/endpoint.ts';
import { ok, operation } from '../../shared/http/operation.ts';
import { partner } from '../../shared/partners/callers.ts';
import { PromotionReference, statusOf } from '../../shared/promotions/promotion.ts';
import { CreatePromotionRequest } from '../../shared/promotions/promotion-requests.ts';
import type { PromotionStore } from '../../shared/promotions/promotion-store.ts';

export const createPromotionOperation = operation({
  id: 'CreatePromotion',
  route: 'POST /promo/v1/create',
  caller: partner(['catalog']),
  body: CreatePromotionRequest,
  response: PromotionReference,
  failures: [],
});

type Deps = EndpointDeps & { promotions: Pick<PromotionStore, 'create'> };

/** D4: creates a promotion, with the next number of the partner. */
export function createPromotion(deps: Deps) {
  return endpoint(createPromotionOperation, deps, async ({ callerId, body, addFields }) => {
    const promoId = await deps.promotions.create(callerId, body);
    addFields({ promoId });
    return ok({ promoId, status: statusOf(body, deps.clock.now()) });
  });
}
