import * as z from 'zod/mini';
import { unknownOffer, wallet } from '../../shared/partners/callers.ts';
import { OfferId } from '../../shared/partners/partner-ids.ts';
import { partnerStore } from '../../shared/partners/partner-store.ts';
import { placeStore } from '../../shared/places/place.ts';
import { PlacePage, PlacePageQuery, placePage } from '../../shared/places/place-page.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';

export const listWalletPlacesOperation = operation({
  id: 'ListWalletPlaces',
  route: 'GET /wallet/offers/{offerId}/places',
  caller: wallet,
  path: z.object({ offerId: OfferId }),
  query: PlacePageQuery,
  response: PlacePage,
  failures: ['OFFER_NOT_FOUND'],
});

/** W2: the service points of an offer, page by page in the order of their itemIds. */
export function listWalletPlaces(deps = httpDeps({ places: placeStore, partners: partnerStore })) {
  return httpHandler(listWalletPlacesOperation, deps, async ({ path: { offerId }, query, addFields }) => {
    const [offer, page] = await Promise.all([
      deps.partners.offer(offerId),
      placePage(deps.places, offerId, query),
    ]);
    if (!offer) return unknownOffer(offerId);
    addFields({ offerId, places: page.places.length });
    return ok(page);
  });
}
