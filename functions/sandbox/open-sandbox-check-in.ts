import { checkInStore, SentCardNumber } from '../../shared/check-ins/check-in.ts';
import { OpenedCheckIn, openAt } from '../../shared/check-ins/opening.ts';
import { foreignOffer, partner, placeForbidden } from '../../shared/partners/callers.ts';
import { OfferId } from '../../shared/partners/partner-ids.ts';
import { partnerStore } from '../../shared/partners/partner-store.ts';
import { ItemId, placeStore } from '../../shared/places/place.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { named } from '../../shared/platform/validation/documented.ts';

export const openSandboxCheckInOperation = operation({
  id: 'OpenSandboxCheckIn',
  route: 'POST /sandbox/check-ins',
  caller: partner(['cash-desk'], 'all'),
  body: named('OpenSandboxCheckInRequest', { offerId: OfferId, placeId: ItemId, cardNumber: SentCardNumber }),
  response: OpenedCheckIn,
  failures: ['OFFER_FORBIDDEN', 'PLACE_FORBIDDEN', 'OFFER_NOT_FOUND', 'PLACE_NOT_FOUND', 'PLACE_FULL'],
});

/** Each request of a cash desk reads them all. Of real ones there are as many as people at the place. */
const mostCheckIns = 200;

/** Checks in a card holder of the simulated wallet platform, as W1 does, at the partner's own offers. */
export function openSandboxCheckIn(
  deps = httpDeps({ checkIns: checkInStore, places: placeStore, partners: partnerStore }),
) {
  return httpHandler(openSandboxCheckInOperation, deps, async (call) => {
    const { body, ownOfferIds, mayUsePlace, addFields } = call;
    const { offerId, placeId } = body;
    if (!ownOfferIds.includes(offerId)) return foreignOffer;
    if (!mayUsePlace(placeId)) return placeForbidden;
    addFields({ offerId, placeId });
    const opened = await openAt(deps, { ...body, most: mostCheckIns });
    if ('failure' in opened) return opened;
    addFields({ checkinNumber: opened.checkinNumber });
    return ok(opened);
  });
}
