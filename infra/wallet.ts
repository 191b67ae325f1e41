import { listWalletPlacesOperation } from '../functions/wallet/list-wallet-places.ts';
import { openCheckInOperation } from '../functions/wallet/open-check-in.ts';
import { updateRecipientsOperation } from '../functions/wallet/update-recipients.ts';
import type { StageConfig } from './config.ts';
import { type EndpointProps, endpoint } from './constructs/endpoint.ts';
import type { HttpService } from './service.ts';

/** The wallet platform opens check-ins and reads the places of an offer. */
export function addWallet(service: HttpService): void {
  endpoint(service, openCheckInOperation, openingCheckIns(service.config));
  endpoint(service, listWalletPlacesOperation, { tableActions: ['GetItem', 'Query'] });
  endpoint(service, updateRecipientsOperation, {
    environment: { WALLET: service.config.wallet },
    tableActions: ['BatchWriteItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
  });
}

export function openingCheckIns({ sizes }: StageConfig): EndpointProps {
  return {
    size: sizes.checkInOpening,
    tableActions: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
  };
}
