import { SentCardNumber } from '../../shared/check-ins/check-in.ts';
import { OpenedCheckIn, type OpeningDeps, openAt } from '../../shared/check-ins/opening.ts';
import { OfferId } from '../../shared/partners/account.ts';
import { foreignOffer, partner } from '../../shared/partners/callers.ts';
import { ItemId } from '../../shared/places/place.ts';
import { type EndpointDeps, endpoint } from '../../shared/platform/http/endpoint.ts';
import { ok, operation } from '../../shared/platform/http/operation.ts';
import { named } from '../../shared/platform/validation/documented.ts';

export const openSandboxCheckInOperation = operation({
  id: 'OpenSandboxCheckIn',
  route: 'POST /sandbox/check-ins',
  caller: partner(['cash-desk']),
  body: named('OpenSandboxCheckInRequest', { offerId: OfferId, placeId: ItemId, cardNumber: SentCardNumber }),
  response: OpenedCheckIn,
  failures: ['OFFER_FORBIDDEN', 'PLACE_FORBIDDEN', 'OFFER_NOT_FOUND', 'PLACE_NOT_FOUND', 'PLACE_FULL'],
});

/** What W1 does, for a partner's own offers: a card holder of the simulated wallet platform checks in. */
export function openSandboxCheckIn(deps: EndpointDeps & OpeningDeps) {
  return endpoint(
    openSandboxCheckInOperation,
    deps,
    async ({ body, ownOfferIds, refusePlace, addFields }) => {
      const { offerId, placeId } = body;
      if (!ownOfferIds.includes(offerId)) return foreignOffer;
      const refusal = refusePlace(placeId);
      if (refusal) return refusal;
      addFields({ offerId, placeId });
      const opened = await openAt(deps, body);
      if ('failure' in opened) return opened;
      addFields({ checkinNumber: opened.checkinNumber });
      return ok(opened);
    },
  );
}
