import * as z from 'zod/mini';
import { type EndpointDeps, endpoint } from '../../shared/http/endpoint.ts';
import { type Failure, fail, failWithRetryAfter } from '../../shared/http/failures.ts';
import { ok, operation } from '../../shared/http/operation.ts';
import { partnerWithOffer } from '../../shared/partners/callers.ts';
import { closeUnsent } from '../../shared/places/close-unsent.ts';
import type { OfferLock } from '../../shared/places/offer-lock.ts';
import { queueMessage, removalsMessage, type SessionRef } from '../../shared/places/slice-message.ts';
import { boundariesOf, cutIntoSlices, type SliceLimit } from '../../shared/places/slices.ts';
import type { SyncSessionStore } from '../../shared/places/sync-session-store.ts';
import { NotAllSent, type Queue, sendAll } from '../../shared/queues/send-all.ts';
import type { Ids } from '../../shared/runtime/ids.ts';
import { described, named } from '../../shared/validation/documented.ts';

const maxPlaces = 100_000;

export const startSyncOperation = operation({
  id: 'StartSync',
  route: 'POST /places/sync',
  caller: partnerWithOffer(['catalog']),
  body: named('StartSyncRequest', {
    places: z
      .array(z.unknown().register(z.globalRegistry, { $ref: '#/components/schemas/Place' }))
      .check(z.minLength(1)),
    dryRun: z._default(z.boolean(), false),
    confirmRemovals: described(
      z._default(z.boolean(), false),
      'Remove what the list does not name, also if that is more than half of the points',
    ),
  }),
  bodyLimit: { gunzippedBytes: 64_000_000 },
  rejectsElements: true,
  passedOn: ['places'],
  response: named('StartedSync', { sessionId: z.string() }),
  failures: ['BODY_TOO_LARGE', 'SYNC_BEING_ACCEPTED', 'SYNC_UNAVAILABLE'],
});

type Deps = EndpointDeps & {
  offerLock: OfferLock;
  sessions: Pick<SyncSessionStore, 'begin' | 'finishSlice' | 'endRemovals'>;
  queue: Queue;
  ids: Ids;
  /** The size of a slice, where it is not the default. */
  sliceLimit?: SliceLimit;
};

/** A1: accepts a full list of service points and begins the session that processes it, slice by slice. */
export function startSync(deps: Deps) {
  return endpoint(
    startSyncOperation,
    deps,
    async ({ callerId, offerId, requestId, body, limits, addFields, addMetrics }) => {
      if (body.places.length > maxPlaces) {
        return fail('BODY_TOO_LARGE', `places: ${body.places.length} elements, the limit is ${maxPlaces}`);
      }
      const sessionId = deps.ids.uuid();
      const session = { partnerId: callerId, offerId, sessionId, requestId, dryRun: body.dryRun };
      addFields({ sessionId, received: body.places.length });
      const guard = { confirmRemovals: body.confirmRemovals, removalPercent: limits.removalPercent };
      const refusal = await accept({ ...deps, addFields }, { session, guard }, body.places);
      if (refusal) return refusal;
      addMetrics({ SessionsStarted: 1 });
      return ok({ sessionId });
    },
  );
}

type Accepted = {
  session: SessionRef;
  guard: { confirmRemovals: boolean; removalPercent: number | undefined };
};

async function accept(
  { addFields, ...deps }: Deps & { addFields: (fields: Record<string, unknown>) => void },
  { session, guard }: Accepted,
  places: unknown[],
): Promise<Failure<'SYNC_BEING_ACCEPTED' | 'SYNC_UNAVAILABLE'> | undefined> {
  const { offerId, sessionId } = session;
  const acquired = await deps.offerLock.acquire(offerId, sessionId);
  if ('busyUntil' in acquired) return busy(acquired.busyUntil - deps.clock.now());
  const slices = cutIntoSlices(places, acquired.boundaries, deps.sliceLimit);
  let accepted = false;
  try {
    const messages = await Promise.all(slices.map((slice) => queueMessage(session, slice)));
    const begun = { received: places.length, slices: slices.length, dryRun: session.dryRun, ...guard };
    await deps.sessions.begin(session, begun, deps.clock.now());
    await sendAll(deps.queue, messages);
    // By a call of its own: a slice that a batch has to repeat would otherwise arrive behind it.
    await sendAll(deps.queue, [removalsMessage(session)]);
    accepted = true;
    return undefined;
  } catch (error) {
    if (!(error instanceof NotAllSent)) throw error;
    const unsent = slices.filter(({ slice }) => error.unsent.includes(String(slice)));
    await closeUnsent(deps, session, unsent);
    return notTaken;
  } finally {
    const { sessions } = acquired;
    const boundaries = session.dryRun ? acquired.boundaries : boundariesOf(slices);
    // The list stays accepted: a lock that could not be released expires by itself.
    await deps.offerLock
      .release(offerId, sessionId, accepted ? { boundaries, sessions } : undefined)
      .catch((error: unknown) => addFields({ offerStillLocked: String(error) }));
  }
}

/** The holder of the lock is running or has died; then the lock expires. */
function busy(leftMs: number) {
  const seconds = Math.max(1, Math.ceil(leftMs / 1_000));
  const sentence = `places: another list of this offer is being accepted, or its acceptance broke off; send again, in ${seconds} s at the latest`;
  return failWithRetryAfter('SYNC_BEING_ACCEPTED', Math.min(seconds, 5), sentence);
}

const notTaken = failWithRetryAfter(
  'SYNC_UNAVAILABLE',
  30,
  'places: the list could not be taken as a whole, send it again',
);
