import { httpFunctions } from './constructs/http-function.ts';
import type { HttpService } from './service.ts';

/** Partners keep their promotions; the wallet platform reads the active ones of an offer. */
export function addPromotions(service: HttpService): void {
  httpFunctions(service, {
    ListActivePromotions: { tableActions: ['Query'] },
    ListPromotions: { tableActions: ['Query'] },
    GetPromotion: { tableActions: ['GetItem'] },
    // A transaction needs the permissions of the writes in it. DeleteItem frees an Idempotency-Key, and Query finds what
    // an equal request created before it died.
    CreatePromotion: { readsKey: true, tableActions: ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'] },
    UpdatePromotion: { readsKey: true, tableActions: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'] },
    ListWalletPromotions: { tableActions: ['GetItem', 'Query', 'BatchGetItem'] },
  });
}
