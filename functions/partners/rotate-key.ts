import * as z from 'zod/mini';
import { partner } from '../../shared/partners/callers.ts';
import { KeyPath, keyFailure } from '../../shared/partners/key.ts';
import { newSecret, refusalOf } from '../../shared/partners/key-rules.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import { fail } from '../../shared/platform/http/failures.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { described, named } from '../../shared/platform/validation/documented.ts';

export const rotateKeyOperation = operation({
  id: 'RotateKey',
  route: 'POST /keys/{login}/rotate',
  caller: partner([], 'full'),
  path: KeyPath,
  response: named('RotatedKey', {
    login: z.string(),
    secret: described(z.nullable(z.string()), 'Shown this once: null in a replay'),
  }),
  secretMembers: ['secret'],
  failures: ['ROLE_FORBIDDEN', 'OFFER_FORBIDDEN', 'KEY_NOT_FOUND', 'TWO_SECRETS_ALREADY'],
});

/** Gives a key a second secret, shown this once; both work. */
export function rotateKey(deps = httpDeps({ keys: keyStore })) {
  return httpHandler(rotateKeyOperation, deps, async (call) => {
    const { callerId, key, path, requestId, operationToken, addFields } = call;
    const { login } = path;
    const refused = refusalOf(await deps.keys.list(callerId), login, key);
    if (refused) return keyFailure(refused, login);
    const { secret, stored } = newSecret(login, deps, operationToken ?? requestId);
    if (!(await deps.keys.addSecret(login, stored))) {
      return fail('TWO_SECRETS_ALREADY', `login: ${login} has two secrets already, retire the older first`);
    }
    addFields({ rotated: login });
    return ok({ login, secret });
  });
}
