import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { promotionStore } from '../../shared/promotions/promotion-store.ts';
import { listActivePromotions } from './list-active-promotions.ts';

const { table, ...deps } = endpointDeps();
export const handler = listActivePromotions({ ...deps, promotions: promotionStore(table) });
