import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { promotionStore } from '../../shared/promotions/promotion-store.ts';
import { getPromotion } from './get-promotion.ts';

export const handler = getPromotion(endpointDeps({ promotions: promotionStore }));
