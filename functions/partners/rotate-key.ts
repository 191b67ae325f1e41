import * as z from 'zod/mini';
import { partner } from '../../shared/partners/callers.ts';
import { changedMeanwhile, KeyPath, keyFailure, secretInUse } from '../../shared/partners/key.ts';
import { isInUse, newSecret, refusalOf, secretsByAge } from '../../shared/partners/key-rules.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import { fail } from '../../shared/platform/http/failures.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { RotateRequest, twoSecretsAdvice } from '../../shared/platform/http/rotation.ts';
import { described, named } from '../../shared/platform/validation/documented.ts';

export const rotateKeyOperation = operation({
  id: 'RotateKey',
  route: 'POST /keys/{login}/rotate',
  caller: partner([], 'full'),
  requests: 3,
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
    const { callerId, key, path, body, requestId, operationToken, addFields } = call;
    const { login } = path;
    const keys = await deps.keys.list(callerId);
    const refused = refusalOf(keys, login, key);
    const rotated = keys.find((one) => one.login === login);
    if (refused || !rotated) return keyFailure(refused ?? 'unknown', login);
    const { secret, stored } = newSecret(login, deps, operationToken ?? requestId);
    const { older, newest } = secretsByAge(rotated);
    if (body?.replace && older) {
      if (isInUse(login, newest, key)) return secretInUse(login);
      if (!(await deps.keys.replaceNewest(rotated, stored))) return changedMeanwhile(login);
    } else if (!(await deps.keys.addSecret(login, stored)))
      return fail('TWO_SECRETS_ALREADY', `login: ${login} has two secrets already: ${twoSecretsAdvice}`);
    addFields({ rotated: login });
    return ok({ login, secret });
  });
}
