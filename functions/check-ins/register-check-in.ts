import * as z from 'zod/mini';
import { CardNumber, CheckInNumber, CheckInNumberInput } from '../../shared/check-ins/check-in.ts';
import { checkInStore } from '../../shared/check-ins/check-in-store.ts';
import { partnerWithOffer } from '../../shared/partners/callers.ts';
import { fail } from '../../shared/platform/http/failures.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { described, named } from '../../shared/platform/validation/documented.ts';

export const registerCheckInOperation = operation({
  id: 'RegisterCheckIn',
  contractId: 'B2',
  route: 'POST /partner/api/checkin/register',
  caller: partnerWithOffer(['cash-desk']),
  body: named('RegisterCheckInRequest', { checkinNumber: CheckInNumberInput }),
  response: named('RedeemedCheckIn', {
    checkinNumber: CheckInNumber,
    cardNumber: CardNumber,
    registeredAt: described(z.iso.datetime(), 'When the check-in was redeemed, UTC'),
  }),
  failures: ['PLACE_FORBIDDEN', 'CHECKIN_NOT_FOUND', 'CHECKIN_NOT_ACTIVE'],
});

const ended = { 'redeemed before': 'was redeemed', expired: 'expired', 'not active': 'is not active' };

function notActive(
  checkinNumber: number,
  { outcome, sinceMs }: { outcome: keyof typeof ended; sinceMs?: number },
): string {
  const since = sinceMs === undefined ? '' : ` at ${new Date(sinceMs).toISOString()}`;
  return `checkinNumber: ${checkinNumber} ${ended[outcome]}${since}, ask for a new check-in`;
}

/** B2: redeems a check-in, exactly once. */
export function registerCheckIn(deps = httpDeps({ checkIns: checkInStore })) {
  return httpHandler(registerCheckInOperation, deps, async (call) => {
    const { offerId, refusePlace, body, requestId, operationToken, addFields } = call;
    const { checkinNumber } = body;
    addFields({ checkinNumber });
    const nowMs = deps.clock.now();
    const by = operationToken ?? requestId;
    const redemption = await deps.checkIns.redeem(offerId, checkinNumber, { by, nowMs, refusePlace });
    switch (redemption.outcome) {
      case 'redeemed':
        if (redemption.stillListed) addFields({ stillListed: redemption.stillListed });
        return ok({
          checkinNumber,
          cardNumber: redemption.cardNumber,
          registeredAt: new Date(redemption.redeemedAtMs).toISOString(),
        });
      case 'refused':
        return redemption.refusal;
      case 'unknown':
        return fail('CHECKIN_NOT_FOUND', `checkinNumber: ${checkinNumber} is not a check-in of this offer`);
      default:
        return fail('CHECKIN_NOT_ACTIVE', notActive(checkinNumber, redemption));
    }
  });
}
