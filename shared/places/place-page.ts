import * as z from 'zod/mini';
import { cursor, cursorOf } from '../platform/validation/cursor.ts';
import { described, named } from '../platform/validation/documented.ts';
import { queryNumber } from '../platform/validation/query-number.ts';
import { ItemId, Place, type PlaceStore } from './place.ts';

const placeCursor = { list: 'places', position: ItemId };

export const PlacePageQuery = z.object({
  limit: queryNumber({ min: 1, max: 500, standard: 100 }),
  cursor: cursor(placeCursor),
});

export const PlacePage = named('PlacePage', {
  places: z.array(Place),
  cursor: described(z.optional(z.string()), 'There when more places may follow'),
});

/** A page in the order of itemIds. */
export async function placePage(
  places: Pick<PlaceStore, 'page'>,
  offerId: string,
  { limit, cursor: after }: z.output<typeof PlacePageQuery>,
) {
  const { places: found, lastItemId } = await places.page(offerId, limit, after);
  return { places: found, cursor: lastItemId && cursorOf(placeCursor, lastItemId) };
}
