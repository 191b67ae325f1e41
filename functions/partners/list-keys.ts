import * as z from 'zod/mini';
import { partner } from '../../shared/partners/callers.ts';
import { Key, shownKey } from '../../shared/partners/key.ts';
import { refusalOf } from '../../shared/partners/key-rules.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { named } from '../../shared/platform/validation/documented.ts';

export const listKeysOperation = operation({
  id: 'ListKeys',
  route: 'GET /keys',
  caller: partner([], 'full'),
  requests: 3,
  response: named('Keys', { keys: z.array(Key) }),
});

/** The keys that this key may manage, oldest first: all of the partner, or with limits, itself and those with its limits or less. */
export function listKeys(deps = httpDeps({ keys: keyStore })) {
  return httpHandler(listKeysOperation, deps, async (call) => {
    const { partnerId, key, addFields } = call;
    const all = await deps.keys.list(partnerId);
    const keys = all.filter(({ login }) => !refusalOf(all, login, key));
    addFields({ keys: keys.length });
    return ok({ keys: keys.map(shownKey) });
  });
}
