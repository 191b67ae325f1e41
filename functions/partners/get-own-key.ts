import * as z from 'zod/mini';
import { partner } from '../../shared/partners/callers.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import { OfferId, PartnerId } from '../../shared/partners/partner-ids.ts';
import { PartnerLimits } from '../../shared/partners/partner-limits.ts';
import { Role } from '../../shared/partners/role.ts';
import { defaultRemovalPercent } from '../../shared/places/removal-guard.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { budgetLimit } from '../../shared/platform/limits/request-budget.ts';
import { described, named } from '../../shared/platform/validation/documented.ts';
import { defaultPushLimits } from '../../shared/push/sending/push-request.ts';

export const getOwnKeyOperation = operation({
  id: 'GetOwnKey',
  route: 'GET /keys/self',
  caller: partner('every key', 'all'),
  response: named('OwnKey', {
    login: z.string(),
    partnerId: PartnerId,
    role: Role,
    offerIds: described(z.array(OfferId), 'Those the key may name'),
    limited: described(
      z.boolean(),
      'Whether it is limited to these: what belongs to the whole account is then closed to it',
    ),
    placeIds: described(z.optional(z.array(z.string())), 'The service points the key is limited to'),
    limits: z
      .required(PartnerLimits)
      .register(z.globalRegistry, { id: 'Limits', description: "The partner's limits, agreed or default" }),
  }),
});

/** Describes the key that the request was made with. */
export function getOwnKey(deps = httpDeps({ keys: keyStore })) {
  return httpHandler(getOwnKeyOperation, deps, async (call) => {
    const { partnerId, key, role, ownOfferIds, limited, limits } = call;
    const { login } = key;
    const stored = await deps.keys.find(partnerId, login);
    return ok({
      login,
      partnerId,
      role,
      offerIds: [...ownOfferIds],
      limited,
      ...(stored?.placeIds ? { placeIds: stored.placeIds } : {}),
      limits: {
        pushesPerMinute: limits.pushesPerMinute ?? defaultPushLimits.pushesPerMinute,
        bulkRecipients: limits.bulkRecipients ?? defaultPushLimits.bulkRecipients,
        multiMessages: limits.multiMessages ?? defaultPushLimits.multiMessages,
        removalPercent: limits.removalPercent ?? defaultRemovalPercent,
        tillRequests: budgetLimit(limits, 'tills'),
        heavyRequests: budgetLimit(limits, 'heavy'),
        otherRequests: budgetLimit(limits, 'others'),
      },
    });
  });
}
