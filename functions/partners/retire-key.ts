import { partner } from '../../shared/partners/callers.ts';
import { EndedKey, endedKey, KeyPath, keyFailure } from '../../shared/partners/key.ts';
import { refusalOf } from '../../shared/partners/key-rules.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import { fail } from '../../shared/platform/http/failures.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';

export const retireKeyOperation = operation({
  id: 'RetireKey',
  route: 'POST /keys/{login}/retire',
  caller: partner([], 'full'),
  path: KeyPath,
  response: EndedKey,
  failures: ['ROLE_FORBIDDEN', 'OFFER_FORBIDDEN', 'KEY_NOT_FOUND', 'ONE_SECRET_ONLY', 'CHANGED_MEANWHILE'],
});

/** Ends the older of a key's two secrets. */
export function retireKey(deps = httpDeps({ keys: keyStore })) {
  return httpHandler(retireKeyOperation, deps, async ({ callerId, key, path: { login }, addFields }) => {
    const keys = await deps.keys.list(callerId);
    const refused = refusalOf(keys, login, key);
    const managed = keys.find((one) => one.login === login);
    if (refused || !managed) return keyFailure(refused ?? 'unknown', login);
    if (managed.secrets.length < 2)
      return fail('ONE_SECRET_ONLY', `login: ${login} has one secret only, rotate first`);
    if (!(await deps.keys.keepSecret(managed, 'newest'))) {
      return fail('CHANGED_MEANWHILE', `login: ${login} was changed at the same moment, look and send again`);
    }
    addFields({ retired: login });
    return ok(endedKey(login));
  });
}
