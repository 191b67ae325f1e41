import { httpFunctions } from './constructs/http-function.ts';
import type { HttpService } from './service.ts';

/** Cash-desk software reads the active check-ins of a place and redeems one. */
export function addCheckIns(service: HttpService): void {
  httpFunctions(service, {
    ListCheckIns: { tableActions: ['GetItem', 'Query'], routeMetrics: true },
    RegisterCheckIn: { tableActions: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'], routeMetrics: true },
  });
}
