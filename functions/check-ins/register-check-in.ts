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

/** B2: redeems a check-in, exactly once. */
export function registerCheckIn(deps = httpDeps({ checkIns: checkInStore })) {
  return httpHandler(registerCheckInOperation, deps, async (call) => {
    const { offerId, mayUsePlace, body, requestId, operationToken, addFields } = call;
    const { checkinNumber, ...meant } = body;
    addFields({ checkinNumber });
    const nowMs = deps.clock.now();
    const by = operationToken ?? requestId;
    const refusePlace = (placeId: string) => (mayUsePlace(placeId) ? undefined : placeForbidden);
    const asked = { by, nowMs, refusePlace, meant };
    const redeemed = await deps.checkIns.redeem(offerId, checkinNumber, asked);
    if ('failure' in redeemed) return redeemed;
    const { cardNumber, redeemedAtMs, stillListed } = redeemed;
    if (stillListed) addFields({ stillListed });
    return ok({ checkinNumber, cardNumber, registeredAt: new Date(redeemedAtMs).toISOString() });
  });
}
