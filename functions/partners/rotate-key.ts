import * as z from 'zod/mini';
import { partner } from '../../shared/partners/callers.ts';
import { newSecret } from '../../shared/partners/credentials.ts';
import { KeyPath, keyFailure } from '../../shared/partners/key.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { RotateRequest } from '../../shared/platform/http/rotation.ts';
import { changeOfSettings } from '../../shared/platform/limits/request-budget.ts';
import { described, named } from '../../shared/platform/validation/documented.ts';

export const rotateKeyOperation = operation({
  id: 'RotateKey',
  route: 'POST /keys/{login}/rotate',
  caller: partner([], 'full'),
  requests: changeOfSettings,
  path: KeyPath,
  body: RotateRequest,
  response: named('RotatedKey', {
    login: z.string(),
    secret: described(z.nullable(z.string()), 'Shown this once: null in a replay'),
  }),
  secretMembers: ['secret'],
  failures: [
    'ROLE_FORBIDDEN',
    'OFFER_FORBIDDEN',
    'KEY_NOT_FOUND',
    'TWO_SECRETS_ALREADY',
    'SECRET_IN_USE',
    'CHANGED_MEANWHILE',
  ],
});

/** Gives a key a second secret, shown this once; both work. With `replace` it takes the place of the newer of two. */
export function rotateKey(deps = httpDeps({ keys: keyStore })) {
  return httpHandler(rotateKeyOperation, deps, async (call) => {
    const { partnerId, key, path, body, requestId, operationToken, addFields } = call;
    const { login } = path;
    const found = await deps.keys.findManageable(partnerId, login, key);
    if (typeof found === 'string') return keyFailure(found, login);
    const { secret, stored } = newSecret(login, deps, operationToken ?? requestId);
    const how = { replace: body?.replace, actingKey: key, atMs: stored.createdAt };
    const rotated = await deps.keys.rotate(found, stored, how);
    if (rotated !== 'done') return keyFailure(rotated, login);
    addFields({ rotated: login });
    return ok({ login, secret });
  });
}
