import { partner } from '../../shared/partners/callers.ts';
import { EndedKey, endedKey, KeyPath, keyFailure } from '../../shared/partners/key.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { madeBeforeRepeat } from '../../shared/platform/http/rotation.ts';
import { changeOfSettings } from '../../shared/platform/limits/request-budget.ts';

export const retireKeyOperation = operation({
  id: 'RetireKey',
  route: 'POST /keys/{login}/retire',
  caller: partner([], 'full'),
  requests: changeOfSettings,
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
  return httpHandler(retireKeyOperation, deps, async (call) => {
    const { partnerId, key, repeatOf, addFields } = call;
    const { login } = call.path;
    const found = await deps.keys.findManageable(partnerId, login, key);
    if (typeof found === 'string') return keyFailure(found, login);
    const madeUntil = madeBeforeRepeat(call);
    const retired = await deps.keys.retire(found, { actingKey: key, atMs: deps.clock.now(), madeUntil });
    const isDone = retired === 'done' || (retired === 'one secret' && repeatOf !== undefined);
    if (!isDone) return keyFailure(retired, login);
    addFields({ retired: login });
    return ok(endedKey(login));
  });
}
