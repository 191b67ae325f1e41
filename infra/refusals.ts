import { addAlarm } from './constructs/alarm.ts';
import { logMetric, sharedMetric } from './constructs/metrics.ts';
import type { Service } from './service.ts';

/** The alarm on what the gateway refuses, which pages, and the notice about partners that use up a request budget. */
export function watchRefusals(service: Service): void {
  const { config } = service;
  addAlarm(service, 'RefusedByGateway', {
    impact: 'The gateway refuses requests of partners or the wallet platform with 429: the service is full.',
    lookAt: 'route and sourceIp of such lines in the access log of the API',
    metric: logMetric(config, 'RefusedByGateway'),
    // The ceiling of a route is far above what partners may send, so ten are no chance.
    threshold: 10,
  });
  addAlarm(service, 'OverBudget', {
    impact: 'A partner has used up a request budget: part of its requests get 429, no other partner is hurt.',
    lookAt: 'callerId and budget of lines with the refusal REQUEST_LIMIT_EXCEEDED',
    metric: sharedMetric(config, 'OverBudget'),
    // A short burst is the partner's own matter. A hundred refusals suggest that it does not slow down.
    threshold: 100,
    periodMinutes: 15,
    notice: true,
  });
}
