import * as z from 'zod/mini';
import { endpointSettings } from '../../shared/callbacks/endpoint/settings.ts';
import { endpointNotSet } from '../../shared/callbacks/endpoint/shown-endpoint.ts';
import { partner } from '../../shared/partners/callers.ts';
import { liveKeyHandler, liveKeys } from '../../shared/partners/live-key.ts';
import { fail } from '../../shared/platform/http/failures.ts';
import { httpDeps, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { RotateRequest, twoSecretsAdvice } from '../../shared/platform/http/rotation.ts';
import { changeOfSettings } from '../../shared/platform/limits/request-budget.ts';
import { described, named } from '../../shared/platform/validation/documented.ts';

export const rotateEndpointSecretOperation = operation({
  id: 'RotateEndpointSecret',
  route: 'POST /callbacks/endpoint/rotate',
  caller: partner([]),
  requests: changeOfSettings,
  body: RotateRequest,
  response: named('RotatedSigningSecret', {
    secret: described(z.nullable(z.string()), 'Shown this once: null in a replay'),
  }),
  secretMembers: ['secret'],
  failures: ['ROLE_FORBIDDEN', 'ENDPOINT_NOT_SET', 'TWO_SECRETS_ALREADY'],
});

/** Signs callbacks with a second secret too. With `replace` it takes the place of the newer of two. */
export function rotateEndpointSecret(deps = httpDeps({ settings: endpointSettings, keys: liveKeys })) {
  return liveKeyHandler(rotateEndpointSecretOperation, deps, async (call) => {
    const { partnerId, key, body, operationToken, addFields } = call;
    const rotation = { by: key.login, madeBy: operationToken, replace: body?.replace };
    const { outcome, signingSecret } = await deps.settings.rotate(partnerId, rotation);
    if (outcome === 'not set') return endpointNotSet;
    if (outcome === 'two secrets')
      return fail('TWO_SECRETS_ALREADY', `callbacks: there are two signing secrets: ${twoSecretsAdvice()}`);
    addFields({ changed: ['signing secret'] });
    return ok({ secret: signingSecret });
  });
}
