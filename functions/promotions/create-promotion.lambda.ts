import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { promotionStore } from '../../shared/promotions/promotion-store.ts';
import { createPromotion } from './create-promotion.ts';

export const handler = createPromotion(endpointDeps({ promotions: promotionStore }));
