import { createPromotionOperation } from '../functions/promotions/create-promotion.ts';
import { getPromotionOperation } from '../functions/promotions/get-promotion.ts';
import { listActivePromotionsOperation } from '../functions/promotions/list-active-promotions.ts';
import { listPromotionsOperation } from '../functions/promotions/list-promotions.ts';
import { updatePromotionOperation } from '../functions/promotions/update-promotion.ts';
import { listWalletPromotionsOperation } from '../functions/wallet/list-wallet-promotions.ts';
import { httpFunction } from './constructs/http-function.ts';
import type { HttpService } from './service.ts';

/** Partners keep their promotions; the wallet platform reads the active ones of an offer. */
export function addPromotions(service: HttpService): void {
  httpFunction(service, listActivePromotionsOperation, { tableActions: ['Query'] });
  httpFunction(service, listPromotionsOperation, { tableActions: ['Query'] });
  httpFunction(service, getPromotionOperation, { tableActions: ['GetItem'] });
  // A transaction needs the permissions of the writes in it. DeleteItem frees an Idempotency-Key, and Query finds what
  // an equal request created before it died.
  httpFunction(service, createPromotionOperation, {
    tableActions: ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
  });
  httpFunction(service, updatePromotionOperation, {
    tableActions: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
  });
  httpFunction(service, listWalletPromotionsOperation, {
    tableActions: ['GetItem', 'Query', 'BatchGetItem'],
  });
}
