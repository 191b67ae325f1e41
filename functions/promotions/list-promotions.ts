import * as z from 'zod/mini';
import { partner } from '../../shared/partners/callers.ts';
import { isFailure } from '../../shared/platform/http/failures.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { described, named } from '../../shared/platform/validation/documented.ts';
import { queryFlag } from '../../shared/platform/validation/query-flag.ts';
import { queryNumber } from '../../shared/platform/validation/query-number.ts';
import { moreForMany, PromotionItem, statusOf, toItem } from '../../shared/promotions/promotion.ts';
import { promotionStore } from '../../shared/promotions/promotion-store.ts';

const Limit = queryNumber({ min: 1, max: 100, standard: 15 });

const Offset = queryNumber({ min: 0, max: 999_999_999, standard: 0 });

const PageMetadata = named('PageMetadata', {
  limit: z.int(),
  offset: z.int(),
  totalCount: described(z.int(), 'How many there are on all pages together'),
  activeOnly: z.boolean(),
});

export const listPromotionsOperation = operation({
  id: 'ListPromotions',
  contractId: 'D2',
  route: 'GET /promo/v1/all',
  caller: partner(['catalog']),
  query: z.object({ limit: Limit, offset: Offset, activeOnly: queryFlag('only active ones') }),
  response: named('PromotionPage', { metadata: PageMetadata, items: z.array(PromotionItem) }),
  failures: ['REQUEST_LIMIT_EXCEEDED'],
});

/** D2: the partner's promotions page by page, newest start first. */
export function listPromotions(deps = httpDeps({ promotions: promotionStore })) {
  return httpHandler(listPromotionsOperation, deps, async (call) => {
    const { partnerId, query, takeFrom, addFields } = call;
    const { limit, offset, activeOnly } = query;
    const nowMs = deps.clock.now();
    const all = await deps.promotions.list(partnerId, () => takeFrom('others', moreForMany));
    if (isFailure(all)) return all;
    const matching = activeOnly ? all.filter((promotion) => statusOf(promotion, nowMs) === 'active') : all;
    addFields({ promotions: all.length, matching: matching.length });
    return ok({
      metadata: { limit, offset, totalCount: matching.length, activeOnly },
      items: matching.slice(offset, offset + limit).map((promotion) => toItem(promotion, nowMs)),
    });
  });
}
