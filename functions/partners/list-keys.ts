import * as z from 'zod/mini';
import { partner } from '../../shared/partners/callers.ts';
import { Key, shownKey } from '../../shared/partners/key.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { named } from '../../shared/platform/validation/documented.ts';

export const listKeysOperation = operation({
  id: 'ListKeys',
  route: 'GET /keys',
  caller: partner([]),
  response: named('Keys', { keys: z.array(Key) }),
});

/** The partner's keys, oldest first. */
export function listKeys(deps = httpDeps({ keys: keyStore })) {
  return httpHandler(listKeysOperation, deps, async ({ callerId, addFields }) => {
    const keys = await deps.keys.list(callerId);
    addFields({ keys: keys.length });
    return ok({ keys: keys.map(shownKey) });
  });
}
