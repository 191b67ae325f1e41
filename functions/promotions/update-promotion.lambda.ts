import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { promotionStore } from '../../shared/promotions/promotion-store.ts';
import { updatePromotion } from './update-promotion.ts';

export const handler = updatePromotion(endpointDeps({ promotions: promotionStore }));
