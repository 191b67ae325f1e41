import { httpFunctions } from './constructs/http-function.ts';
import type { HttpService } from './service.ts';

/** Cash-desk software reads the active check-ins of a place and redeems one. */
export function addCheckIns(service: HttpService): void {
  httpFunctions(service, {
    ListCheckIns: { reads: ['active check-in', 'service point'], routeMetrics: true },
    RegisterCheckIn: {
      reads: ['check-in by number', 'active check-in'],
      writes: ['check-in by number', 'active check-in'],
      routeMetrics: true,
    },
  });
}
