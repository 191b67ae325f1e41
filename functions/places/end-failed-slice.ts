import {
  SessionMessage,
  type SessionRef,
  type SliceMessage,
  sessionOrder,
  unpackSlice,
} from '../../shared/places/slice-message.ts';
import { failSlice, lostSlice } from '../../shared/places/slice-plan.ts';
import { sessionMetrics } from '../../shared/places/sync-session.ts';
import type { SyncSessionStore } from '../../shared/places/sync-session-store.ts';
import type { ParkedStore } from '../../shared/queues/parked-store.ts';
import { type Delivery, queueWorker, readBody } from '../../shared/queues/queue-worker.ts';
import type { Clock } from '../../shared/runtime/clock.ts';
import type { Work } from '../../shared/runtime/log.ts';

type Deps = {
  sessions: Pick<SyncSessionStore, 'find' | 'finishSlice' | 'endRemovals'>;
  parked: ParkedStore;
  clock: Clock;
};

/**
 * Ends slices and removals that failed too often, so that their session finishes: every item of a slice becomes an
 * error that asks to be sent again, and nothing more is removed. A message that cannot be read is parked with its
 * reason.
 */
export function endFailedSlice(deps: Deps) {
  return queueWorker('EndFailedSlice', (delivery) => end(deps, delivery), sessionOrder);
}

type Park = (reason: string) => Promise<void>;

async function end(deps: Deps, { record, work }: Delivery): Promise<void> {
  const now = deps.clock.now();
  const park = (reason: string) =>
    deps.parked.park({ queue: 'places-sync', messageId: record.messageId, body: record.body }, reason, now);
  const message = readBody(SessionMessage, record.body);
  if (!message) {
    work.addFields({ parked: 'not a slice message' });
    work.addMetrics({ Parked: 1 });
    return park('not a slice message');
  }
  const { partnerId, offerId, sessionId, requestId } = message;
  work.addFields({ partnerId, offerId, sessionId, requestId });
  return 'slice' in message ? endSlice(deps, message, { work, park }) : endRemovals(deps, message, work);
}

async function endSlice(
  deps: Deps,
  message: SliceMessage,
  { work, park }: { work: Work; park: Park },
): Promise<void> {
  const now = deps.clock.now();
  const { slice } = message;
  work.addFields({ slice });
  // A batch that failed as a whole brings back slices that were finished: their items are not errors.
  const session = await deps.sessions.find(message, now);
  if (!session?.pending.has(slice)) {
    work.addFields({ repeat: true });
    return;
  }
  const result = await unpackSlice(message).then(
    // A slice without items only removes points: those stay, and the session must report it.
    ({ items }) => (items.length > 0 ? failSlice(items) : lostSlice(slice, 'could not be processed', 0)),
    async () => {
      work.addMetrics({ Parked: 1 });
      await park('the content of the slice cannot be unpacked');
      return lostSlice(slice, 'could not be read', 1);
    },
  );
  const finished = await deps.sessions.finishSlice(message, slice, { ...result, failed: true }, now);
  work.addFields({ rejected: result.counts.rejected });
  work.addMetrics(sessionMetrics(finished, now));
}

/**
 * By now a later list may be in force, so nothing more is removed. Slices come here before the removals of their
 * session: one that is still pending then was unreadable, and nobody else would end it.
 */
async function endRemovals(deps: Deps, message: SessionRef, work: Work): Promise<void> {
  const now = deps.clock.now();
  work.addFields({ step: 'removals' });
  const session = await deps.sessions.find(message, now);
  if (!session?.removalsPending) {
    work.addFields({ repeat: true });
    return;
  }
  for (const slice of session.pending) {
    const result = { ...lostSlice(slice, 'could not be read', 1), failed: true };
    await deps.sessions.finishSlice(message, slice, result, now);
  }
  const { failed, confirmed, removed, begun } = session.removals;
  const forSlices = !confirmed && failed + session.pending.size > 0;
  const because = begun ? 'interrupted' : forSlices ? 'failed slices' : 'not done';
  const finished = await deps.sessions.endRemovals(message, { because, removed });
  work.addFields({ because, removed });
  work.addMetrics(sessionMetrics(finished, now));
}
