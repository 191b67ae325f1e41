import { endpointStore } from '../../shared/callbacks/endpoint/endpoint-store.ts';
import { withSettings } from '../../shared/callbacks/endpoint/settings.ts';
import { EndpointState, endpointNotSet } from '../../shared/callbacks/endpoint/shown-endpoint.ts';
import { changeOfEndpoint } from '../../shared/callbacks/limits.ts';
import { partner } from '../../shared/partners/callers.ts';
import { liveKeyHandler, liveKeys } from '../../shared/partners/live-key.ts';
import { httpDeps, ok, operation } from '../../shared/platform/http/http-handler.ts';

export const enableEndpointOperation = operation({
  id: 'EnableEndpoint',
  route: 'POST /callbacks/endpoint/enable',
  caller: partner([]),
  requests: changeOfEndpoint,
  response: EndpointState,
  failures: ['ROLE_FORBIDDEN', 'ENDPOINT_NOT_SET'],
});

/** Starts callbacks again, and closes the circuit. */
export function enableEndpoint(deps = withSettings(httpDeps({ endpoints: endpointStore, keys: liveKeys }))) {
  return liveKeyHandler(enableEndpointOperation, deps, async ({ partnerId, key, addFields }) => {
    const done = await deps.settings.enable(partnerId, key.login);
    if (done === 'not set') return endpointNotSet;
    addFields({ changed: ['status'] });
    return ok({ status: 'ENABLED' });
  });
}
