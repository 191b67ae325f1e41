import * as z from 'zod/mini';
import { type EndpointDeps, endpoint } from '../../shared/http/endpoint.ts';
import { fail } from '../../shared/http/failures.ts';
import { ok, operation } from '../../shared/http/operation.ts';
import { OfferId } from '../../shared/partners/account.ts';
import { wallet } from '../../shared/partners/callers.ts';
import type { PartnerStore } from '../../shared/partners/partner-store.ts';
import { Place, receivedItemId } from '../../shared/places/place.ts';
import type { PlaceStore } from '../../shared/places/place-store.ts';
import { queryNumber } from '../../shared/validation/query-number.ts';

const Limit = queryNumber({ min: 1, max: 500, standard: 100 });

export const listWalletPlacesOperation = operation({
  id: 'ListWalletPlaces',
  route: 'GET /wallet/offers/{offerId}/places',
  caller: wallet,
  path: z.object({ offerId: OfferId }),
  query: z.object({
    limit: Limit,
    cursor: z
      .optional(z.string().check(z.maxLength(1_000)))
      .register(z.globalRegistry, { description: 'The cursor of the page before' }),
  }),
  response: z
    .object({
      places: z.array(Place),
      cursor: z
        .optional(z.string())
        .register(z.globalRegistry, { description: 'There when more places may follow' }),
    })
    .register(z.globalRegistry, { id: 'PlacePage' }),
  failures: ['REQUEST_INVALID', 'OFFER_NOT_FOUND'],
});

type Deps = EndpointDeps & { places: Pick<PlaceStore, 'page'>; partners: Pick<PartnerStore, 'offer'> };

/** W2: the service points of an offer, page by page in the order of their itemIds. */
export function listWalletPlaces(deps: Deps) {
  return endpoint(
    listWalletPlacesOperation,
    deps,
    async ({ path: { offerId }, query: { limit, cursor }, addFields }) => {
      const after = cursor === undefined ? '' : Buffer.from(cursor, 'base64url').toString('utf8');
      if (cursor !== undefined && !receivedItemId({ itemId: after })) {
        return fail('REQUEST_INVALID', 'cursor: must be the cursor of the page before, unchanged');
      }
      const [offer, page] = await Promise.all([
        deps.partners.offer(offerId),
        deps.places.page(offerId, limit, after),
      ]);
      if (!offer)
        return fail('OFFER_NOT_FOUND', `offerId: ${offerId} is not a loyalty program of this service`);
      addFields({ offerId, places: page.places.length });
      const { places, lastItemId } = page;
      return ok(lastItemId ? { places, cursor: Buffer.from(lastItemId).toString('base64url') } : { places });
    },
  );
}
