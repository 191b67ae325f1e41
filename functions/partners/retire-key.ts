import { partner } from '../../shared/partners/callers.ts';
import {
  changedMeanwhile,
  EndedKey,
  endedKey,
  KeyPath,
  keyFailure,
  secretInUse,
} from '../../shared/partners/key.ts';
import { isInUse, refusalOf, secretsByAge } from '../../shared/partners/key-rules.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import { fail } from '../../shared/platform/http/failures.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';

export const retireKeyOperation = operation({
  id: 'RetireKey',
  route: 'POST /keys/{login}/retire',
  caller: partner([], 'full'),
  requests: 3,
  path: KeyPath,
  response: EndedKey,
  failures: [
    'ROLE_FORBIDDEN',
    'OFFER_FORBIDDEN',
    'KEY_NOT_FOUND',
    'ONE_SECRET_ONLY',
    'SECRET_IN_USE',
    'CHANGED_MEANWHILE',
  ],
});

/** Ends the older of a key's two secrets. */
export function retireKey(deps = httpDeps({ keys: keyStore })) {
  return httpHandler(retireKeyOperation, deps, async ({ callerId, key, path: { login }, addFields }) => {
    const keys = await deps.keys.list(callerId);
    const refused = refusalOf(keys, login, key);
    const managed = keys.find((one) => one.login === login);
    if (refused || !managed) return keyFailure(refused ?? 'unknown', login);
    const { older } = secretsByAge(managed);
    if (!older) return fail('ONE_SECRET_ONLY', `login: ${login} has one secret only, rotate first`);
    if (isInUse(login, older, key)) return secretInUse(login);
    if (!(await deps.keys.retire(managed))) return changedMeanwhile(login);
    addFields({ retired: login });
    return ok(endedKey(login));
  });
}
