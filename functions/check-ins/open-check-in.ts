import { checkInStore, SentCardNumber } from '../../shared/check-ins/check-in.ts';
import { OpenedCheckIn, openAt } from '../../shared/check-ins/opening.ts';
import { wallet } from '../../shared/partners/callers.ts';
import { OfferId } from '../../shared/partners/partner-ids.ts';
import { partnerStore } from '../../shared/partners/partner-store.ts';
import { ItemId, placeStore } from '../../shared/places/place.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { named } from '../../shared/platform/validation/documented.ts';

export const openCheckInOperation = operation({
  id: 'OpenCheckIn',
  route: 'POST /wallet/check-ins',
  caller: wallet,
  body: named('OpenCheckInRequest', { offerId: OfferId, placeId: ItemId, cardNumber: SentCardNumber }),
  response: OpenedCheckIn,
  failures: ['OFFER_NOT_FOUND', 'PLACE_NOT_FOUND', 'PLACE_FULL'],
});

/** W1: checks a card in at a service point, or returns the check-in the card already has there. */
export function openCheckIn(
  deps = httpDeps({ checkIns: checkInStore, places: placeStore, partners: partnerStore }),
) {
  return httpHandler(openCheckInOperation, deps, async ({ body, addFields }) => {
    addFields({ offerId: body.offerId, placeId: body.placeId });
    const opened = await openAt(deps, body);
    if ('failure' in opened) return opened;
    addFields({ checkinNumber: opened.checkinNumber });
    return ok(opened);
  });
}
