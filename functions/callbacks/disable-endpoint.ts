import { endpointSettings } from '../../shared/callbacks/endpoint/settings.ts';
import { EndpointState, endpointNotSet } from '../../shared/callbacks/endpoint/shown-endpoint.ts';
import { partner } from '../../shared/partners/callers.ts';
import { liveKeyHandler, liveKeys } from '../../shared/partners/live-key.ts';
import { httpDeps, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { changeOfSettings } from '../../shared/platform/limits/request-budget.ts';

export const disableEndpointOperation = operation({
  id: 'DisableEndpoint',
  route: 'POST /callbacks/endpoint/disable',
  caller: partner([]),
  requests: changeOfSettings,
  response: EndpointState,
  failures: ['ROLE_FORBIDDEN', 'ENDPOINT_NOT_SET'],
});

/** Stops callbacks until the endpoint is enabled again. They are kept as skipped. */
export function disableEndpoint(deps = httpDeps({ settings: endpointSettings, keys: liveKeys })) {
  return liveKeyHandler(disableEndpointOperation, deps, async ({ partnerId, key, addFields }) => {
    const done = await deps.settings.disable(partnerId, { reason: 'by the partner', by: key.login });
    if (done === 'not set') return endpointNotSet;
    if (done === 'done') addFields({ changed: ['status'] });
    return ok({ status: 'DISABLED' });
  });
}
