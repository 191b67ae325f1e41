import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { promotionStore } from '../../shared/promotions/promotion-store.ts';
import { getPromotion } from './get-promotion.ts';

const { table, ...deps } = endpointDeps();
export const handler = getPromotion({ ...deps, promotions: promotionStore(table) });
