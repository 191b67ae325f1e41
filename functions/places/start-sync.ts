import * as z from 'zod';
import { type EndpointDeps, endpoint } from '../../shared/http/endpoint.ts';
import { fail, failForNow } from '../../shared/http/failures.ts';
import { ok, operation } from '../../shared/http/operation.ts';
import type { AcceptanceGate } from '../../shared/places/acceptance-gate.ts';
import { packSlice, type SessionRef } from '../../shared/places/slice-message.ts';
import { giveUpSlice } from '../../shared/places/slice-plan.ts';
import { boundariesOf, cutIntoSlices, type Slice } from '../../shared/places/slices.ts';
import type { SyncSessionStore } from '../../shared/places/sync-session-store.ts';
import { type Message, NotAllSent, type Queue, sendAll } from '../../shared/queues/send-all.ts';
import type { Ids } from '../../shared/runtime/ids.ts';

const maxPlaces = 100_000;

export const startSyncOperation = operation({
  id: 'StartSync',
  route: 'POST /places/sync',
  caller: 'partner',
  offerHeader: true,
  body: z.object({
    places: z.array(z.unknown().meta({ $ref: '#/components/schemas/Place' })).min(1),
    dryRun: z.boolean().default(false),
  }),
  bodyLimit: { sentBytes: 6_000_000, inflatedBytes: 64_000_000 },
  answer: z.object({ sessionId: z.string() }),
  failures: ['BODY_TOO_LARGE', 'SYNC_BEING_ACCEPTED', 'SYNC_UNAVAILABLE'],
});

type Deps = EndpointDeps & {
  gate: AcceptanceGate;
  sessions: Pick<SyncSessionStore, 'begin' | 'finishSlice'>;
  queue: Queue;
  ids: Ids;
};

/** A1: accepts a full list of service points and begins the session that works it off, slice by slice. */
export const startSync = (deps: Deps) =>
  endpoint(startSyncOperation, deps, async ({ callerId, offerId, body, note }) => {
    if (body.places.length > maxPlaces) {
      return fail('BODY_TOO_LARGE', `places: ${body.places.length} elements, the limit is ${maxPlaces}`);
    }
    const session = { partnerId: callerId, offerId, sessionId: deps.ids.uuid(), dryRun: body.dryRun };
    note({ sessionId: session.sessionId, received: body.places.length });
    const outcome = await accept({ ...deps, note }, session, body.places);
    if (outcome === 'accepted') return ok({ sessionId: session.sessionId });
    if (outcome === 'busy') {
      return failForNow(
        'SYNC_BEING_ACCEPTED',
        5,
        'places: another list of this offer is being accepted, send again',
      );
    }
    return failForNow(
      'SYNC_UNAVAILABLE',
      30,
      'places: the list could not be taken as a whole, send it again',
    );
  });

const accept = async (
  { note, ...deps }: Deps & { note: (fields: Record<string, unknown>) => void },
  session: SessionRef,
  places: unknown[],
): Promise<'accepted' | 'busy' | 'not taken'> => {
  const before = await deps.gate.enter(session.offerId, session.sessionId);
  if (!before) return 'busy';
  const slices = cutIntoSlices(places, before);
  let accepted = false;
  try {
    const messages = await Promise.all(slices.map((slice) => toMessage(session, slice)));
    const opening = { received: places.length, slices: slices.length, dryRun: session.dryRun };
    await deps.sessions.begin(session, opening, deps.clock.now());
    await sendAll(deps.queue, messages);
    accepted = true;
    return 'accepted';
  } catch (error) {
    if (!(error instanceof NotAllSent)) throw error;
    const unsent = slices.filter(({ slice }) => error.unsent.includes(String(slice)));
    await closeUnsent(deps, session, unsent);
    return 'not taken';
  } finally {
    const changesTheList = accepted && !session.dryRun;
    await deps.gate.leave(
      session.offerId,
      session.sessionId,
      changesTheList ? boundariesOf(slices) : undefined,
    );
  }
};

const toMessage = async (session: SessionRef, slice: Slice): Promise<Message> => ({
  id: String(slice.slice),
  body: JSON.stringify(await packSlice(session, slice)),
  group: session.offerId,
  deduplicationId: `${session.sessionId}:${slice.slice}`,
});

/** A session that was not accepted still ends: its unsent slices become errors, never PROCESSING for ever. */
const closeUnsent = async (deps: Deps, session: SessionRef, unsent: Slice[]): Promise<void> => {
  for (const { slice, items } of unsent) {
    await deps.sessions.finishSlice(session, slice, giveUpSlice(items), deps.clock.now());
  }
};
