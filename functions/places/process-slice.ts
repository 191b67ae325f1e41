import type { PlaceStore } from '../../shared/places/place-store.ts';
import type { RemovalStore } from '../../shared/places/removal-store.ts';
import { removeUnlisted } from '../../shared/places/remove-unlisted.ts';
import {
  SessionMessage,
  type SessionRef,
  type SliceMessage,
  sessionOrder,
  unpackSlice,
} from '../../shared/places/slice-message.ts';
import { planSlice, type SlicePlan } from '../../shared/places/slice-plan.ts';
import { sessionMetrics } from '../../shared/places/sync-session.ts';
import type { SyncSessionStore } from '../../shared/places/sync-session-store.ts';
import { type Delivery, queueWorker } from '../../shared/queues/queue-worker.ts';
import type { Clock } from '../../shared/runtime/clock.ts';

type Deps = {
  places: Pick<PlaceStore, 'hashesIn' | 'apply'>;
  sessions: Pick<SyncSessionStore, 'find' | 'finishSlice' | 'endRemovals'>;
  removals: RemovalStore;
  clock: Clock;
};

/**
 * Processes the messages of sync sessions. Slices of one session own separate ranges and run side by side; then come
 * the session's removals. A later session of the same offer waits for the earlier one, also during retries.
 */
export function processSlice(deps: Deps) {
  return queueWorker('ProcessSlice', (delivery) => process(deps, delivery), sessionOrder);
}

function process(deps: Deps, delivery: Delivery): Promise<void> {
  const message = SessionMessage.parse(JSON.parse(delivery.record.body));
  const { partnerId, offerId, sessionId, requestId } = message;
  delivery.work.addFields({ partnerId, offerId, sessionId, requestId });
  return 'slice' in message ? applySlice(deps, message, delivery) : endSession(deps, message, delivery);
}

async function applySlice(
  { places, sessions, removals, clock }: Deps,
  message: SliceMessage,
  { record, work }: Delivery,
): Promise<void> {
  const { offerId, slice, dryRun } = message;
  work.addFields({ slice });
  const session = await sessions.find(message, clock.now());
  if (!session?.pending.has(slice)) {
    work.addFields({ repeat: true });
    return;
  }
  const { owns, items } = await unpackSlice(message);
  const stored = owns ? await places.hashesIn(offerId, owns) : new Map<string, string>();
  const plan = planSlice(items, stored);
  let { counts } = plan;
  if (!dryRun) {
    const mayBeHalfDone = Number(record.attributes.ApproximateReceiveCount) > 1;
    if (changes(plan) || mayBeHalfDone) counts = await removals.recordPlan(message, slice, plan, clock.now());
    await places.apply(offerId, { put: plan.put, remove: [] });
  }
  const finished = await sessions.finishSlice(
    message,
    slice,
    { counts, rejected: plan.rejected },
    clock.now(),
  );
  work.addFields({ ...counts });
  work.addMetrics(sessionMetrics(finished, clock.now()));
}

function changes({ put, remove }: SlicePlan): boolean {
  return put.length + remove.length > 0;
}

/** Whether and what to remove is known when every slice was applied, or given up by way of the dead-letter queue. */
async function endSession(
  { places, sessions, removals, clock }: Deps,
  message: SessionRef,
  { work }: Delivery,
): Promise<void> {
  work.addFields({ step: 'removals' });
  const session = await sessions.find(message, clock.now());
  if (!session?.removalsPending) {
    work.addFields({ repeat: true });
    return;
  }
  if (session.pending.size > 0) throw new Error(`${session.pending.size} slices are not processed yet`);
  const end = await removeUnlisted({ places, removals }, message, session);
  const finished = await sessions.endRemovals(message, end);
  work.addFields({ ...end, toRemove: session.removals.toRemove });
  work.addMetrics(sessionMetrics(finished, clock.now()));
}
