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

/** The partner's keys, oldest first; to a key with limits, those that it may manage: itself and those with its limits or less. */
export function listKeys(deps = httpDeps({ keys: keyStore })) {
  return httpHandler(listKeysOperation, deps, async (call) => {
    const { partnerId, key, limited, addFields } = call;
    const all = await deps.keys.list(partnerId);
    const keys = limited ? all.filter(({ login }) => !refusalOf(all, login, key)) : all;
    addFields({ keys: keys.length });
    return ok({ keys: keys.map(shownKey) });
  });
}
