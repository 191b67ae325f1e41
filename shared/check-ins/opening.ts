import * as z from 'zod/mini';
import { fail, failWithRetryAfter } from '../platform/http/failures.ts';
import type { Clock } from '../platform/runtime/clock.ts';
import type { Ids } from '../platform/runtime/ids.ts';
import { described, named } from '../platform/validation/documented.ts';
import {
  type ActiveCheckIn,
  CheckInNumber,
  type CheckInStore,
  defaultLifetimeMs,
  SecretCode,
} from './check-in.ts';
import { secretCodeOf } from './secret-code.ts';

/** If half of all codes are taken, 20 numbers in a row find no free code once in a million times. */
const maxTries = 20;

export const OpenedCheckIn = named('OpenedCheckIn', {
  checkinNumber: CheckInNumber,
  secretCode: SecretCode,
  expiresAt: described(z.iso.datetime(), 'When the check-in is gone, UTC'),
});
export type OpenedCheckIn = z.infer<typeof OpenedCheckIn>;

type OpeningDeps = {
  checkIns: Pick<CheckInStore, 'activeAt' | 'isRedeemed' | 'nextNumber' | 'open'>;
  places: { exists: (offerId: string, placeId: string) => Promise<boolean> };
  partners: { offer: (offerId: string) => Promise<{ checkInLifetimeMs?: number | undefined } | undefined> };
  ids: Ids;
  clock: Clock;
};

type OpenRequest = {
  offerId: string;
  placeId: string;
  cardNumber: string;
  /** The check-ins that the place may have at once; left out, as many as there are codes. */
  most?: number;
};

/** Checks a card in at a service point, or returns the check-in the card already has there. */
export async function openAt(
  deps: OpeningDeps,
  { offerId, placeId, cardNumber, most = Number.POSITIVE_INFINITY }: OpenRequest,
) {
  const now = deps.clock.now();
  const [offer, placeExists, active] = await Promise.all([
    deps.partners.offer(offerId),
    deps.places.exists(offerId, placeId),
    deps.checkIns.activeAt(offerId, placeId, now),
  ]);
  if (!offer) return fail('OFFER_NOT_FOUND', `offerId: ${offerId} is not a loyalty program of this service`);
  if (!placeExists) return fail('PLACE_NOT_FOUND', `placeId: ${placeId} is not a service point of the offer`);
  const own = active.find((checkIn) => checkIn.cardNumber === cardNumber);
  const isOver = own && (await deps.checkIns.isRedeemed(offerId, own.checkinNumber));
  if (own && !isOver) return toOpenedCheckIn(own);

  const hasMost = active.length >= most;
  const assigned = hasMost ? undefined : await assignCode(deps, offerId, active);
  if (!assigned) {
    const why = hasMost
      ? `there are ${most} check-ins, which is the most`
      : 'almost every code is in use there';
    return failWithRetryAfter('PLACE_FULL', 60, `placeId: ${why}, try again in a minute`);
  }
  const activeUntil = now + (offer.checkInLifetimeMs ?? defaultLifetimeMs);
  const opening = { nowMs: now, instead: own?.checkinNumber };
  const checkIn = { ...assigned, cardNumber, activeUntil };
  return toOpenedCheckIn(await deps.checkIns.open({ offerId, placeId }, checkIn, opening));
}

function toOpenedCheckIn({ checkinNumber, secretCode, activeUntil }: ActiveCheckIn): OpenedCheckIn {
  return { checkinNumber, secretCode, expiresAt: new Date(activeUntil).toISOString() };
}

/**
 * A number whose code is free at the place. Two requests that cannot see each other's check-in would get the same
 * code only with numbers 10,000 apart, within the time both may run (4 s each); one counter row gives out 1,000 a
 * second at most.
 */
async function assignCode({ checkIns, ids }: OpeningDeps, offerId: string, active: readonly ActiveCheckIn[]) {
  const taken = new Set(active.map(({ secretCode }) => secretCode));
  for (let tries = 0; tries < maxTries; tries++) {
    const { checkinNumber, shuffleKey } = await checkIns.nextNumber(offerId, ids.token(32));
    const secretCode = secretCodeOf(checkinNumber, shuffleKey);
    if (!taken.has(secretCode)) return { checkinNumber, secretCode };
  }
  return undefined;
}
