import * as z from 'zod/mini';
import { endpointSettings } from '../../shared/callbacks/endpoint/settings.ts';
import { endpointNotSet } from '../../shared/callbacks/endpoint/shown-endpoint.ts';
import { partner } from '../../shared/partners/callers.ts';
import { liveKeyHandler, liveKeys } from '../../shared/partners/live-key.ts';
import { fail } from '../../shared/platform/http/failures.ts';
import { httpDeps, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { madeBeforeRepeat } from '../../shared/platform/http/rotation.ts';
import { changeOfSettings } from '../../shared/platform/limits/request-budget.ts';
import { described, named } from '../../shared/platform/validation/documented.ts';

export const retireEndpointSecretOperation = operation({
  id: 'RetireEndpointSecret',
  route: 'POST /callbacks/endpoint/retire',
  caller: partner([]),
  requests: changeOfSettings,
  response: named('RetiredSigningSecret', { secrets: described(z.int(), 'How many sign now') }),
  failures: ['ROLE_FORBIDDEN', 'ENDPOINT_NOT_SET', 'ONE_SECRET_ONLY'],
});

/** Ends the older of two signing secrets. */
export function retireEndpointSecret(deps = httpDeps({ settings: endpointSettings, keys: liveKeys })) {
  return liveKeyHandler(retireEndpointSecretOperation, deps, async (call) => {
    const { partnerId, key, repeatOf, addFields } = call;
    const done = await deps.settings.retire(partnerId, key.login, madeBeforeRepeat(call));
    if (done === 'not set') return endpointNotSet;
    if (done === 'changed meanwhile') return ok({ secrets: 2 });
    if (done === 'one secret' && repeatOf === undefined)
      return fail('ONE_SECRET_ONLY', 'callbacks: there is one signing secret only, rotate first');
    addFields({ changed: ['signing secret'] });
    return ok({ secrets: 1 });
  });
}
