import { settingsDeps } from '../../shared/callbacks/endpoint/settings.ts';
import { EndpointState, endpointNotSet } from '../../shared/callbacks/endpoint/shown.ts';
import { partner } from '../../shared/partners/callers.ts';
import { httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';

export const disableEndpointOperation = operation({
  id: 'DisableEndpoint',
  route: 'POST /callbacks/endpoint/disable',
  caller: partner([]),
  response: EndpointState,
  failures: ['ENDPOINT_NOT_SET'],
});

/** Stops callbacks until the endpoint is enabled again. They are kept as skipped. */
export function disableEndpoint(deps = settingsDeps()) {
  return httpHandler(disableEndpointOperation, deps, async ({ callerId, key, addFields }) => {
    const done = await deps.settings.disable(callerId, { reason: 'by the partner', by: key.login });
    if (done === 'not set') return endpointNotSet;
    if (done === 'done') addFields({ changed: ['status'] });
    return ok({ status: 'DISABLED' });
  });
}
