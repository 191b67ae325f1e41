import { partner } from '../../shared/partners/callers.ts';
import { EndedKey, endedKey, KeyPath, keyFailure } from '../../shared/partners/key.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { changeOfSettings } from '../../shared/platform/limits/request-budget.ts';

export const deleteKeyOperation = operation({
  id: 'DeleteKey',
  route: 'DELETE /keys/{login}',
  caller: partner([], 'full'),
  requests: changeOfSettings,
  path: KeyPath,
  response: EndedKey,
  failures: ['ROLE_FORBIDDEN', 'OFFER_FORBIDDEN', 'KEY_NOT_FOUND', 'LAST_FULL_KEY', 'SECRET_IN_USE'],
});

/** Revokes a key other than that of the request. */
export function deleteKey(deps = httpDeps({ keys: keyStore })) {
  return httpHandler(deleteKeyOperation, deps, async ({ partnerId, key, path: { login }, addFields }) => {
    const ended = await deps.keys.remove(partnerId, login, { actingKey: key, atMs: deps.clock.now() });
    if (ended !== 'done') return keyFailure(ended, login);
    addFields({ deleted: login });
    return ok(endedKey(login));
  });
}
