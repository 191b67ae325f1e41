import { addHttpFunctions } from './constructs/http-function.ts';
import type { HttpService } from './service.ts';

/** Partners keep their promotions; the wallet platform reads the active ones of an offer. */
export function addPromotions(service: HttpService): void {
  addHttpFunctions(service, {
    ListActivePromotions: { reads: ['promotion in lists'] },
    ListPromotions: { reads: ['promotion in lists'] },
    GetPromotion: { reads: ['promotion'] },
    CreatePromotion: {
      // The list shows what an equal request created before it died.
      reads: ['key', 'promotion in lists'],
      writes: ['promotion counter', 'promotion', 'promotion in lists', 'event'],
    },
    UpdatePromotion: {
      reads: ['key', 'promotion in lists'],
      writes: ['promotion', 'promotion in lists', 'event'],
    },
    ListWalletPromotions: { reads: ['offer', 'promotion in lists', 'promotion'] },
  });
}
