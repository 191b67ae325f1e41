import * as z from 'zod/mini';
import { CheckIn, checkInStore } from '../../shared/check-ins/check-in.ts';
import { placeInPath } from '../../shared/check-ins/place-in-path.ts';
import { partnerWithOffer } from '../../shared/partners/callers.ts';
import { ItemId, placeStore } from '../../shared/places/place.ts';
import { fail } from '../../shared/platform/http/failures.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';

export const listCheckInsOperation = operation({
  id: 'ListCheckIns',
  contractId: 'B1',
  route: 'GET /partner/api/place/{placeId}/checkins',
  // Takes the itemIds with a slash, if the gateway decodes the path before it chooses the route.
  aliases: ['GET /partner/api/place/{proxy+}'],
  caller: partnerWithOffer(['cash-desk']),
  budget: 'tills',
  path: z.object({ placeId: ItemId }),
  readPath: placeInPath,
  query: z.object({
    // Its value is checked as that of the path, whose place it takes.
    placeId: z.optional(z.string()).register(z.globalRegistry, {
      description: 'The itemId, if a path cannot carry it; `-` takes its place in the path',
      example: '000069302',
    }),
  }),
  response: z.array(CheckIn),
  failures: ['PLACE_FORBIDDEN', 'PLACE_NOT_FOUND'],
});

/** B1: the active check-ins of a service point, oldest first. */
export function listCheckIns(deps = httpDeps({ checkIns: checkInStore, places: placeStore })) {
  return httpHandler(listCheckInsOperation, deps, async ({ offerId, path: { placeId }, addFields }) => {
    addFields({ placeId });
    const active = await deps.checkIns.activeAt(offerId, placeId, deps.clock.now());
    addFields({ active: active.length });
    // A mistyped placeId gives an empty list, so only then is the second read worth its cost.
    if (active.length === 0 && !(await deps.places.exists(offerId, placeId))) {
      return fail('PLACE_NOT_FOUND', `placeId: ${placeId} is not a service point of this offer`);
    }
    return ok(active);
  });
}
