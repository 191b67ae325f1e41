import { partnerStore } from '../../shared/partners/partner-store.ts';
import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { promotionStore } from '../../shared/promotions/promotion-store.ts';
import { listWalletPromotions } from './list-wallet-promotions.ts';

export const handler = listWalletPromotions(
  endpointDeps({ promotions: promotionStore, partners: partnerStore }),
);
