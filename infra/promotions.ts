import { HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { endpoint } from './constructs/endpoint.ts';
import type { HttpService } from './service.ts';

/** Partners keep their promotions; the wallet platform reads the active ones of an offer. */
export function addPromotions(service: HttpService): void {
  const size = service.config.sizes.endpoint;
  endpoint(service, 'ListActivePromotions', {
    bundle: 'promotions/list-active-promotions',
    method: HttpMethod.GET,
    path: '/promos',
    caller: 'partner',
    size,
    tableActions: ['dynamodb:Query'],
  });
  endpoint(service, 'ListPromotions', {
    bundle: 'promotions/list-promotions',
    method: HttpMethod.GET,
    path: '/promo/v1/all',
    caller: 'partner',
    size,
    tableActions: ['dynamodb:Query'],
  });
  endpoint(service, 'GetPromotion', {
    bundle: 'promotions/get-promotion',
    method: HttpMethod.GET,
    path: '/promo/v1/details',
    caller: 'partner',
    size,
    tableActions: ['dynamodb:GetItem'],
  });
  // A transaction needs the permissions of the writes in it; DeleteItem frees an Idempotency-Key.
  endpoint(service, 'CreatePromotion', {
    bundle: 'promotions/create-promotion',
    method: HttpMethod.POST,
    path: '/promo/v1/create',
    caller: 'partner',
    size,
    tableActions: ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
  });
  endpoint(service, 'UpdatePromotion', {
    bundle: 'promotions/update-promotion',
    method: HttpMethod.POST,
    path: '/promo/v1/update',
    caller: 'partner',
    size,
    tableActions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
  });
  endpoint(service, 'ListWalletPromotions', {
    bundle: 'wallet/list-promotions',
    method: HttpMethod.GET,
    path: '/wallet/offers/{offerId}/promos',
    caller: 'wallet',
    size,
    tableActions: ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:BatchGetItem'],
  });
}
