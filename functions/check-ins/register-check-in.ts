import * as z from 'zod/mini';
import { CardNumber, CheckInNumber, CheckInNumberInput } from '../../shared/check-ins/check-in.ts';
import type { CheckInStore } from '../../shared/check-ins/check-in-store.ts';
import { type EndpointDeps, endpoint } from '../../shared/http/endpoint.ts';
import { fail } from '../../shared/http/failures.ts';
import { ok, operation } from '../../shared/http/operation.ts';
import { partnerWithOffer } from '../../shared/partners/callers.ts';

export const registerCheckInOperation = operation({
  id: 'RegisterCheckIn',
  route: 'POST /partner/api/checkin/register',
  caller: partnerWithOffer,
  body: z.object({ checkinNumber: CheckInNumberInput }),
  response: z.object({
    checkinNumber: CheckInNumber,
    cardNumber: CardNumber,
    registeredAt: z.iso
      .datetime()
      .register(z.globalRegistry, { description: 'When the check-in was redeemed, UTC' }),
  }),
  failures: ['CHECKIN_NOT_FOUND', 'CHECKIN_NOT_ACTIVE'],
});

type Deps = EndpointDeps & { checkIns: Pick<CheckInStore, 'use'> };

/** B2: redeems a check-in, exactly once. */
export function registerCheckIn(deps: Deps) {
  return endpoint(
    registerCheckInOperation,
    deps,
    async ({ offerId, body: { checkinNumber }, requestId, operationToken, addFields }) => {
      addFields({ checkinNumber });
      const nowMs = deps.clock.now();
      const use = await deps.checkIns.use(offerId, checkinNumber, { by: operationToken ?? requestId, nowMs });
      switch (use.outcome) {
        case 'used':
          return ok({
            checkinNumber,
            cardNumber: use.checkIn.cardNumber,
            registeredAt: new Date(nowMs).toISOString(),
          });
        case 'unknown':
          return fail('CHECKIN_NOT_FOUND', `checkinNumber: ${checkinNumber} is not a check-in of this offer`);
        case 'not active':
          return fail(
            'CHECKIN_NOT_ACTIVE',
            `checkinNumber: ${checkinNumber} is used or expired, ask for a new check-in`,
          );
      }
    },
  );
}
