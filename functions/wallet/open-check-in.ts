import * as z from 'zod/mini';
import {
  type ActiveCheckIn,
  CheckIn,
  CheckInNumber,
  defaultLifetimeMs,
  SentCardNumber,
} from '../../shared/check-ins/check-in.ts';
import type { CheckInStore } from '../../shared/check-ins/check-in-store.ts';
import { secretCodeOf } from '../../shared/check-ins/secret-code.ts';
import { type EndpointDeps, endpoint } from '../../shared/http/endpoint.ts';
import { fail, failWithRetryAfter } from '../../shared/http/failures.ts';
import { ok, operation } from '../../shared/http/operation.ts';
import { OfferId } from '../../shared/partners/account.ts';
import { wallet } from '../../shared/partners/callers.ts';
import type { PartnerStore } from '../../shared/partners/partner-store.ts';
import { ItemId } from '../../shared/places/place.ts';
import type { PlaceStore } from '../../shared/places/place-store.ts';
import type { Ids } from '../../shared/runtime/ids.ts';

/** With half of all codes taken, 20 numbers in a row find no free one once in a million times. */
const maxTries = 20;

export const openCheckInOperation = operation({
  id: 'OpenCheckIn',
  route: 'POST /wallet/check-ins',
  caller: wallet,
  body: z
    .object({ offerId: OfferId, placeId: ItemId, cardNumber: SentCardNumber })
    .register(z.globalRegistry, { id: 'OpenCheckInRequest' }),
  response: z
    .object({
      checkinNumber: CheckInNumber,
      secretCode: CheckIn.shape.secretCode,
      expiresAt: z.iso
        .datetime()
        .register(z.globalRegistry, { description: 'When the check-in is gone, UTC' }),
    })
    .register(z.globalRegistry, { id: 'OpenedCheckIn' }),
  failures: ['OFFER_NOT_FOUND', 'PLACE_NOT_FOUND', 'PLACE_FULL'],
});

type Deps = EndpointDeps & {
  checkIns: Pick<CheckInStore, 'activeAt' | 'nextNumber' | 'open'>;
  places: Pick<PlaceStore, 'exists'>;
  partners: Pick<PartnerStore, 'offer'>;
  ids: Ids;
};

/** W1: checks a card in at a service point, or returns the check-in the card already has there. */
export function openCheckIn(deps: Deps) {
  return endpoint(
    openCheckInOperation,
    deps,
    async ({ body: { offerId, placeId, cardNumber }, addFields }) => {
      const now = deps.clock.now();
      addFields({ offerId, placeId });
      const [offer, placeExists, active] = await Promise.all([
        deps.partners.offer(offerId),
        deps.places.exists(offerId, placeId),
        deps.checkIns.activeAt(offerId, placeId, now),
      ]);
      if (!offer)
        return fail('OFFER_NOT_FOUND', `offerId: ${offerId} is not a loyalty program of this service`);
      if (!placeExists)
        return fail('PLACE_NOT_FOUND', `placeId: ${placeId} is not a service point of the offer`);
      const own = active.find((checkIn) => checkIn.cardNumber === cardNumber);
      if (own) return ok(ticketOf(own));

      const assigned = await assignCode(deps, offerId, active);
      if (!assigned)
        return failWithRetryAfter(
          'PLACE_FULL',
          60,
          'placeId: almost every code is in use there, try again in a minute',
        );
      const activeUntil = now + (offer.checkInLifetimeMs ?? defaultLifetimeMs);
      const opened = await deps.checkIns.open(
        offerId,
        placeId,
        { ...assigned, cardNumber, activeUntil },
        now,
      );
      addFields({ checkinNumber: opened.checkinNumber });
      return ok(ticketOf(opened));
    },
  );
}

function ticketOf({ checkinNumber, secretCode, activeUntil }: ActiveCheckIn) {
  return {
    checkinNumber,
    secretCode,
    expiresAt: new Date(activeUntil).toISOString(),
  };
}

/**
 * A number whose code is free at the place. Two requests that cannot see each other's check-in would get the same
 * code only with numbers 10,000 apart, within the time both may run (4 s each); one counter row gives out 1,000 a
 * second at most.
 */
async function assignCode({ checkIns, ids }: Deps, offerId: string, active: readonly ActiveCheckIn[]) {
  const taken = new Set(active.map(({ secretCode }) => secretCode));
  for (let tries = 0; tries < maxTries; tries++) {
    const { checkinNumber, shuffleKey } = await checkIns.nextNumber(offerId, ids.token(32));
    const secretCode = secretCodeOf(checkinNumber, shuffleKey);
    if (!taken.has(secretCode)) return { checkinNumber, secretCode };
  }
  return undefined;
}
