import { alertsEndpointOf } from '../../shared/callbacks/alerts-endpoint.ts';
import { endpointStore } from '../../shared/callbacks/endpoint/endpoint-store.ts';
import {
  alertsNotSet,
  ShownAlertsEndpoint,
  shownAlertsEndpoint,
} from '../../shared/callbacks/endpoint/shown-endpoint.ts';
import { partner } from '../../shared/partners/callers.ts';
import { liveKeys } from '../../shared/partners/live-key.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';

export const getAlertsOperation = operation({
  id: 'GetAlerts',
  route: 'GET /alerts',
  caller: partner([]),
  response: ShownAlertsEndpoint,
  failures: ['ALERTS_NOT_SET'],
});

/** Where alerts are posted, and whether they arrive. */
export function getAlerts(deps = httpDeps({ endpoints: endpointStore, keys: liveKeys })) {
  return httpHandler(getAlertsOperation, deps, async ({ partnerId, role, key }) => {
    const id = alertsEndpointOf(partnerId);
    const view = await deps.endpoints.view(id, { consistent: true });
    const shown = shownAlertsEndpoint(view, deps.clock.now());
    if (!shown) return alertsNotSet;
    const isFull = role === 'full' && (await deps.keys.isLive({ partnerId, key }));
    // Whoever knows the address of an incoming webhook can post there. An observer may only look, and the gateway lets
    // in a key that has ended for some minutes more.
    return ok({ ...shown, url: isFull ? shown.url : new URL(shown.url).origin });
  });
}
