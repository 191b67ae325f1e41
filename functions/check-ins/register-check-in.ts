import * as z from 'zod/mini';
import {
  CardNumber,
  CheckInNumber,
  CheckInNumberInput,
  checkInStore,
  SecretCode,
} from '../../shared/check-ins/check-in.ts';
import { partnerWithOffer, placeForbidden } from '../../shared/partners/callers.ts';
import { ItemId } from '../../shared/places/place.ts';
import { fail } from '../../shared/platform/http/failures.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { described, named } from '../../shared/platform/validation/documented.ts';

export const registerCheckInOperation = operation({
  id: 'RegisterCheckIn',
  contractId: 'B2',
  route: 'POST /partner/api/checkin/register',
  caller: partnerWithOffer(['cash-desk']),
  budget: 'tills',
  body: named('RegisterCheckInRequest', {
    checkinNumber: CheckInNumberInput,
    secretCode: described(z.optional(SecretCode), 'Compared, if it is sent: the code of the check-in'),
    placeId: described(z.optional(ItemId), 'Compared, if it is sent: the service point of the check-in'),
  }),
  response: named('RedeemedCheckIn', {
    checkinNumber: CheckInNumber,
    cardNumber: CardNumber,
    registeredAt: described(z.iso.datetime(), 'When the check-in was redeemed, UTC'),
  }),
  failures: ['PLACE_FORBIDDEN', 'CHECKIN_NOT_FOUND', 'CHECKIN_NOT_ACTIVE', 'CHECKIN_MISMATCH'],
});

const ended = { 'redeemed before': 'was redeemed', expired: 'expired', 'not active': 'is not active' };

function notActive(
  checkinNumber: number,
  { outcome, sinceMs }: { outcome: keyof typeof ended; sinceMs?: number },
): string {
  const since = sinceMs === undefined ? '' : ` at ${new Date(sinceMs).toISOString()}`;
  return `checkinNumber: ${checkinNumber} ${ended[outcome]}${since}, check the number or ask for a new check-in`;
}

/** B2: redeems a check-in, exactly once. */
export function registerCheckIn(deps = httpDeps({ checkIns: checkInStore })) {
  return httpHandler(registerCheckInOperation, deps, async (call) => {
    const { offerId, mayUsePlace, body, requestId, operationToken, addFields } = call;
    const { checkinNumber, ...meant } = body;
    addFields({ checkinNumber });
    const nowMs = deps.clock.now();
    const by = operationToken ?? requestId;
    const asked = { by, nowMs, mayUsePlace, meant };
    const redemption = await deps.checkIns.redeem(offerId, checkinNumber, asked);
    switch (redemption.outcome) {
      case 'redeemed':
        if (redemption.stillListed) addFields({ stillListed: redemption.stillListed });
        return ok({
          checkinNumber,
          cardNumber: redemption.cardNumber,
          registeredAt: new Date(redemption.redeemedAtMs).toISOString(),
        });
      case 'other place':
        return placeForbidden;
      case 'mismatch':
        return fail(
          'CHECKIN_MISMATCH',
          `${redemption.member}: is not that of the check-in ${checkinNumber}, nothing was redeemed`,
        );
      case 'unknown':
        return fail('CHECKIN_NOT_FOUND', `checkinNumber: ${checkinNumber} is not a check-in of this offer`);
      default:
        return fail('CHECKIN_NOT_ACTIVE', notActive(checkinNumber, redemption));
    }
  });
}
