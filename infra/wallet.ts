import { sizes } from './config.ts';
import { httpFunctions } from './constructs/http-function.ts';
import type { HttpService } from './service.ts';

/** The wallet platform opens check-ins and reads the places of an offer. */
export function addWallet(service: HttpService): void {
  httpFunctions(service, {
    OpenCheckIn: openingCheckIns,
    ListWalletPlaces: { tableActions: ['GetItem', 'Query'] },
    UpdateRecipients: {
      readsWallet: true,
      tableActions: ['BatchWriteItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    },
  });
}

export const openingCheckIns = {
  size: sizes.checkInOpening,
  tableActions: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
} as const;
