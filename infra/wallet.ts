import { HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { endpoint } from './constructs/endpoint.ts';
import type { HttpService } from './service.ts';

/** The wallet platform opens check-ins and reads the places of an offer. */
export function addWallet(service: HttpService): void {
  const { endpoint: size, checkInOpening } = service.config.sizes;
  endpoint(service, 'OpenCheckIn', {
    bundle: 'wallet/open-check-in',
    method: HttpMethod.POST,
    path: '/wallet/check-ins',
    caller: 'wallet',
    size: checkInOpening,
    tableActions: [
      'dynamodb:GetItem',
      'dynamodb:Query',
      'dynamodb:PutItem',
      'dynamodb:UpdateItem',
      'dynamodb:DeleteItem',
    ],
  });
  endpoint(service, 'ListWalletPlaces', {
    bundle: 'wallet/list-places',
    method: HttpMethod.GET,
    path: '/wallet/offers/{offerId}/places',
    caller: 'wallet',
    size,
    tableActions: ['dynamodb:GetItem', 'dynamodb:Query'],
  });
  endpoint(service, 'UpdateRecipients', {
    bundle: 'wallet/update-recipients',
    method: HttpMethod.PUT,
    path: '/wallet/recipients',
    caller: 'wallet',
    size,
    tableActions: [
      'dynamodb:BatchWriteItem',
      'dynamodb:PutItem',
      'dynamodb:UpdateItem',
      'dynamodb:DeleteItem',
    ],
  });
}
