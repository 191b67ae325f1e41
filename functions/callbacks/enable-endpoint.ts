import { settingsDeps } from '../../shared/callbacks/endpoint/settings.ts';
import { EndpointState, endpointNotSet } from '../../shared/callbacks/endpoint/shown.ts';
import { partner } from '../../shared/partners/callers.ts';
import { httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';

export const enableEndpointOperation = operation({
  id: 'EnableEndpoint',
  route: 'POST /callbacks/endpoint/enable',
  caller: partner([]),
  response: EndpointState,
  failures: ['ENDPOINT_NOT_SET'],
});

/** Starts callbacks again, and closes the circuit. */
export function enableEndpoint(deps = settingsDeps()) {
  return httpHandler(enableEndpointOperation, deps, async ({ callerId, key, addFields }) => {
    const done = await deps.settings.enable(callerId, key.login);
    if (done === 'not set') return endpointNotSet;
    addFields({ changed: ['status'] });
    return ok({ status: 'ENABLED' });
  });
}
