import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { promotionStore } from '../../shared/promotions/promotion-store.ts';
import { updatePromotion } from './update-promotion.ts';

const { table, ...deps } = endpointDeps();
export const handler = updatePromotion({ ...deps, promotions: promotionStore(table) });
