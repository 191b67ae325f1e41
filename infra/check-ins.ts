import { listCheckInsOperation } from '../functions/check-ins/list-check-ins.ts';
import { registerCheckInOperation } from '../functions/check-ins/register-check-in.ts';
import { endpoint } from './constructs/endpoint.ts';
import type { HttpService } from './service.ts';

/** Cash-desk software reads the active check-ins of a place and redeems one. */
export function addCheckIns(service: HttpService): void {
  endpoint(service, listCheckInsOperation, {
    tableActions: ['GetItem', 'Query'],
    routeMetrics: true,
  });
  endpoint(service, registerCheckInOperation, {
    tableActions: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    routeMetrics: true,
  });
}
