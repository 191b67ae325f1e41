import { listPlacesOperation } from '../functions/places/list-places.ts';
import { listSyncsOperation } from '../functions/places/list-syncs.ts';
import type { Operation } from '../shared/http/operation.ts';
import { type EndpointProps, endpoint } from './constructs/endpoint.ts';
import type { HttpService } from './service.ts';

const endpoints: readonly { operation: Operation; props: EndpointProps }[] = [
  { operation: listPlacesOperation, props: { tableActions: ['dynamodb:Query'] } },
  { operation: listSyncsOperation, props: { tableActions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem'] } },
];

/** By name: the dashboard is part of a stack that this one depends on. */
export const selfServiceIds: readonly string[] = endpoints.map(({ operation }) => operation.id);

/** What people at a partner look up and set themselves. */
export function addSelfService(service: HttpService): void {
  for (const { operation, props } of endpoints) endpoint(service, operation, props);
}
