import * as z from 'zod/mini';
import { partner } from '../../shared/partners/callers.ts';
import { Key, shownKey } from '../../shared/partners/key.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import type { StoredKey } from '../../shared/partners/partner-rows.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { named } from '../../shared/platform/validation/documented.ts';

export const listKeysOperation = operation({
  id: 'ListKeys',
  route: 'GET /keys',
  caller: partner([], 'full'),
  requests: 3,
  response: named('Keys', { keys: z.array(Key) }),
});

/** The partner's keys, oldest first; to a key with limits, itself and those with its limits or less. */
export function listKeys(deps = httpDeps({ keys: keyStore })) {
  return httpHandler(listKeysOperation, deps, async (call) => {
    const { partnerId, key, limited, ownOfferIds, addFields } = call;
    const all = await deps.keys.list(partnerId);
    const isShown = ({ login, onlyOfferIds }: StoredKey) =>
      login === key.login || onlyOfferIds?.every((offerId) => ownOfferIds.includes(offerId));
    const keys = limited ? all.filter(isShown) : all;
    addFields({ keys: keys.length });
    return ok({ keys: keys.map(shownKey) });
  });
}
