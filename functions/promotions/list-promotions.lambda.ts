import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { promotionStore } from '../../shared/promotions/promotion-store.ts';
import { listPromotions } from './list-promotions.ts';

export const handler = listPromotions(endpointDeps({ promotions: promotionStore }));
