import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { promotionStore } from '../../shared/promotions/promotion-store.ts';
import { listPromotions } from './list-promotions.ts';

const { table, ...deps } = endpointDeps();
export const handler = listPromotions({ ...deps, promotions: promotionStore(table) });
