import * as z from 'zod/mini';
import { alertsEndpointOf } from '../../shared/callbacks/alerts-endpoint.ts';
import { endpointStore } from '../../shared/callbacks/endpoint/endpoint-store.ts';
import { alertsNotSet } from '../../shared/callbacks/endpoint/shown-endpoint.ts';
import { partner } from '../../shared/partners/callers.ts';
import { liveKeyHandler, liveKeys } from '../../shared/partners/live-key.ts';
import { httpDeps, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { changeOfSettings } from '../../shared/platform/limits/request-budget.ts';
import { named } from '../../shared/platform/validation/documented.ts';

export const deleteAlertsOperation = operation({
  id: 'DeleteAlerts',
  route: 'DELETE /alerts',
  caller: partner([]),
  requests: changeOfSettings,
  response: named('DeletedAlerts', { deleted: z.literal(true) }),
  failures: ['ROLE_FORBIDDEN', 'ALERTS_NOT_SET'],
});

/** Ends the alerts. Those that wait for another attempt are skipped, unless another address is set by then. */
export function deleteAlerts(deps = httpDeps({ endpoints: endpointStore, keys: liveKeys })) {
  return liveKeyHandler(deleteAlertsOperation, deps, async ({ partnerId, key, addFields }) => {
    const event = { atMs: deps.clock.now(), by: key.login, data: { what: 'deleted' } };
    const isDeleted = await deps.endpoints.delete(alertsEndpointOf(partnerId), {
      kind: 'alerts.changed',
      ...event,
    });
    if (!isDeleted) return alertsNotSet;
    addFields({ changed: ['deleted'] });
    return ok({ deleted: true });
  });
}
