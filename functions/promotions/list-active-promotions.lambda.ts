import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { promotionStore } from '../../shared/promotions/promotion-store.ts';
import { listActivePromotions } from './list-active-promotions.ts';

export const handler = listActivePromotions(endpointDeps({ promotions: promotionStore }));
