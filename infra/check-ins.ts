import { HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { endpoint } from './constructs/endpoint.ts';
import type { HttpService } from './service.ts';

/** Cash-desk software reads the active check-ins of a place and registers one as used. */
export function addCheckIns(service: HttpService): void {
  const size = service.config.sizes.endpoint;
  endpoint(service, 'ListCheckIns', {
    bundle: 'check-ins/list-check-ins',
    method: HttpMethod.GET,
    path: '/partner/api/place/{placeId}/checkins',
    caller: 'partner',
    size,
    tableActions: ['dynamodb:GetItem', 'dynamodb:Query'],
  });
  endpoint(service, 'RegisterCheckIn', {
    bundle: 'check-ins/register-check-in',
    method: HttpMethod.POST,
    path: '/partner/api/checkin/register',
    caller: 'partner',
    size,
    tableActions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
  });
}
