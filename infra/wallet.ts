import { listWalletPlacesOperation } from '../functions/wallet/list-wallet-places.ts';
import { openCheckInOperation } from '../functions/wallet/open-check-in.ts';
import { updateRecipientsOperation } from '../functions/wallet/update-recipients.ts';
import type { StageConfig } from './config.ts';
import { type HttpFunctionProps, httpFunction } from './constructs/http-function.ts';
import type { HttpService } from './service.ts';

/** The wallet platform opens check-ins and reads the places of an offer. */
export function addWallet(service: HttpService): void {
  httpFunction(service, openCheckInOperation, openingCheckIns(service.config));
  httpFunction(service, listWalletPlacesOperation, { tableActions: ['GetItem', 'Query'] });
  httpFunction(service, updateRecipientsOperation, {
    readsWallet: true,
    tableActions: ['BatchWriteItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
  });
}

export function openingCheckIns({ sizes }: StageConfig): HttpFunctionProps {
  return {
    size: sizes.checkInOpening,
    tableActions: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
  };
}
