import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { promotionStore } from '../../shared/promotions/promotion-store.ts';
import { createPromotion } from './create-promotion.ts';

const { table, ...deps } = endpointDeps();
export const handler = createPromotion({ ...deps, promotions: promotionStore(table) });
