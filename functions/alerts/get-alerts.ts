import { alertsEndpointOf } from '../../shared/callbacks/alerts-endpoint.ts';
import { isPosted } from '../../shared/callbacks/endpoint/endpoint.ts';
import { endpointStore } from '../../shared/callbacks/endpoint/endpoint-store.ts';
import {
  alertsNotSet,
  ShownAlertsEndpoint,
  shownAlerts,
  shownCircuit,
  shownSecrets,
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
    const { endpoint, circuit } = await deps.endpoints.view(id, { consistent: true });
    if (!endpoint || !isPosted(endpoint)) return alertsNotSet;
    const { failingSince } = circuit;
    const isFull = role === 'full' && (await deps.keys.isLive({ partnerId, key }));
    const shown = shownAlerts(endpoint);
    return ok({
      ...shown,
      // Whoever knows the address of an incoming webhook can post there. An observer may only look, and the gateway lets
      // in a key that has ended for some minutes more.
      url: isFull ? shown.url : new URL(shown.url).origin,
      circuit: shownCircuit(circuit, deps.clock.now()),
      failingSince: failingSince === undefined ? undefined : new Date(failingSince).toISOString(),
      secrets: shownSecrets(endpoint),
    });
  });
}
