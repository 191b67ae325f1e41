import { partnerWithOffer } from '../../shared/partners/callers.ts';
import { placeStore } from '../../shared/places/place.ts';
import { PlacePage, PlacePageQuery, placePage } from '../../shared/places/place-page.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';

export const listPlacesOperation = operation({
  id: 'ListPlaces',
  route: 'GET /places',
  caller: partnerWithOffer(['catalog']),
  requests: 5,
  query: PlacePageQuery,
  response: PlacePage,
});

/** The service points of an offer as the wallet platform reads them, page by page in the order of their itemIds. */
export function listPlaces(deps = httpDeps({ places: placeStore })) {
  return httpHandler(listPlacesOperation, deps, async ({ offerId, query, addFields }) => {
    const page = await placePage(deps.places, offerId, query);
    addFields({ places: page.places.length });
    return ok(page);
  });
}
