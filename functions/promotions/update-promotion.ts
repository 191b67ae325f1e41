import { partner } from '../../shared/partners/callers.ts';
import { liveKeyHandler, liveKeys } from '../../shared/partners/live-key.ts';
import { fail } from '../../shared/platform/http/failures.ts';
import { httpDeps, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { changeOfPromotion } from '../../shared/platform/limits/request-budget.ts';
import {
  type Period,
  PromotionReference,
  statusOf,
  unknownPromotion,
} from '../../shared/promotions/promotion.ts';
import { writeDate } from '../../shared/promotions/promotion-date.ts';
import { UpdatePromotionRequest, withoutEffect } from '../../shared/promotions/promotion-requests.ts';
import { promotionStore } from '../../shared/promotions/promotion-store.ts';

export const updatePromotionOperation = operation({
  id: 'UpdatePromotion',
  contractId: 'D5',
  route: 'POST /promo/v1/update',
  caller: partner(['catalog']),
  requests: changeOfPromotion,
  body: UpdatePromotionRequest,
  withoutEffect,
  response: PromotionReference,
  failures: ['ROLE_FORBIDDEN', 'REQUEST_INVALID', 'PROMO_NOT_FOUND'],
});

/** D5: changes the fields that were sent, and no others. */
export function updatePromotion(deps = httpDeps({ promotions: promotionStore, keys: liveKeys })) {
  return liveKeyHandler(updatePromotionOperation, deps, async (call) => {
    const { partnerId, key, operationToken, body, addFields } = call;
    const { promoId, changes } = body;
    addFields({ promoId });
    const occasion = { by: key.login, atMs: deps.clock.now(), madeBy: operationToken };
    const update = await deps.promotions.update(partnerId, body, occasion);
    switch (update.outcome) {
      case 'updated':
        return ok({ promoId, status: statusOf(update.period, deps.clock.now()) });
      case 'unknown':
        return unknownPromotion(promoId);
      case 'not in order':
        return fail('REQUEST_INVALID', outOfOrder(update.stored, changes.startsAt !== undefined));
    }
  });
}

/** Only one of the dates was sent: the sentence names the other, which is not in the request. */
function outOfOrder({ startsAt, endsAt }: Period, startWasSent: boolean): string {
  return startWasSent && endsAt
    ? `startDate: must be before endDate, which is ${writeDate(endsAt)}`
    : `endDate: must be after startDate, which is ${writeDate(startsAt)}`;
}
