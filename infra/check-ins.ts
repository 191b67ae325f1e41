import { listCheckInsOperation } from '../functions/check-ins/list-check-ins.ts';
import { registerCheckInOperation } from '../functions/check-ins/register-check-in.ts';
import { httpFunction } from './constructs/http-function.ts';
import type { HttpService } from './service.ts';

/** Cash-desk software reads the active check-ins of a place and redeems one. */
export function addCheckIns(service: HttpService): void {
  httpFunction(service, listCheckInsOperation, {
    tableActions: ['GetItem', 'Query'],
    routeMetrics: true,
  });
  httpFunction(service, registerCheckInOperation, {
    tableActions: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    routeMetrics: true,
  });
}
