import * as z from 'zod/mini';
import { fail } from '../http/failures.ts';
import { ok } from '../http/operation.ts';
import { described, named } from '../validation/documented.ts';
import { queryNumber } from '../validation/query-number.ts';
import { Place, receivedItemId } from './place.ts';
import type { PlaceStore } from './place-store.ts';

export const PlacePageQuery = z.object({
  limit: queryNumber({ min: 1, max: 500, standard: 100 }),
  cursor: described(z.optional(z.string().check(z.maxLength(1_000))), 'The cursor of the page before'),
});

export const PlacePage = named('PlacePage', {
  places: z.array(Place),
  cursor: described(z.optional(z.string()), 'There when more places may follow'),
});

/** A page in the order of itemIds, or REQUEST_INVALID when the cursor is none of ours. */
export async function placePage(
  places: Pick<PlaceStore, 'page'>,
  offerId: string,
  { limit, cursor }: z.output<typeof PlacePageQuery>,
) {
  const after = cursor === undefined ? '' : Buffer.from(cursor, 'base64url').toString('utf8');
  if (cursor !== undefined && !receivedItemId({ itemId: after })) {
    return fail('REQUEST_INVALID', 'cursor: must be the cursor of the page before, unchanged');
  }
  const page = await places.page(offerId, limit, after);
  const next = page.lastItemId && Buffer.from(page.lastItemId).toString('base64url');
  return ok(next ? { places: page.places, cursor: next } : { places: page.places });
}
