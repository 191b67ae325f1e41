import { endpointSettings } from '../../shared/callbacks/endpoint/settings.ts';
import { EndpointState, endpointNotSet } from '../../shared/callbacks/endpoint/shown-endpoint.ts';
import { partner } from '../../shared/partners/callers.ts';
import { liveKeyHandler, liveKeys } from '../../shared/partners/live-key.ts';
import { httpDeps, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { changeOfSettings } from '../../shared/platform/limits/request-budget.ts';

export const enableEndpointOperation = operation({
  id: 'EnableEndpoint',
  route: 'POST /callbacks/endpoint/enable',
  caller: partner([]),
  requests: changeOfSettings,
  response: EndpointState,
  failures: ['ROLE_FORBIDDEN', 'ENDPOINT_NOT_SET'],
});

/** Starts callbacks again, and closes the circuit. */
export function enableEndpoint(deps = httpDeps({ settings: endpointSettings, keys: liveKeys })) {
  return liveKeyHandler(enableEndpointOperation, deps, async ({ partnerId, key, addFields }) => {
    const done = await deps.settings.enable(partnerId, key.login);
    if (done === 'not set') return endpointNotSet;
    addFields({ changed: ['status'] });
    return ok({ status: 'ENABLED' });
  });
}
