import type { NewEvent } from '../../shared/events/event.ts';
import { changesOf } from '../../shared/places/list-changes.ts';
import { ListMessage, listContentStore, readList } from '../../shared/places/list-message.ts';
import { planList, type SyncCounts } from '../../shared/places/list-plan.ts';
import { placeStore } from '../../shared/places/place.ts';
import { fullPages, isWhollyRejected, removalGuardStore } from '../../shared/places/removal-guard.ts';
import { syncSessionStore } from '../../shared/places/sync-session.ts';
import { errorName } from '../../shared/platform/logging/error-name.ts';
import { connectQueue } from '../../shared/platform/queues/queue.ts';
import { comesBackSoon, type Delivery, queueWorker } from '../../shared/platform/queues/queue-worker.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { tableDeps } from '../../shared/platform/table/table.ts';

type Deps = ReturnType<typeof connect>;

/**
 * Applies lists of service points. The queue delivers the next list of an offer when the one before is done or given
 * up, so this is the only writer of the offer's points while it runs. A list that fails, or for which the function has
 * too little time, comes back soon and goes on from what is stored.
 */
export function processSync(deps = connect()) {
  return queueWorker('ProcessSync', (delivery) => process(deps, delivery), comesBackSoon(deps.queue));
}

async function process(deps: Deps, { record, work }: Delivery): Promise<void> {
  const { contents, places, guard, sessions, clock } = deps;
  // An unreadable message is not parked here: the next list would overtake it. EndFailedSync parks it after 20 tries.
  const list = ListMessage.parse(JSON.parse(record.body));
  const { partnerId, offerId, sessionId, requestId, dryRun } = list;
  work.addFields({ partnerId, offerId, sessionId, requestId });
  const session = await sessions.find(list, clock.now());
  if (!session) await sessions.begin(list);
  // It was processed, or given up by way of the dead-letter queue: a later list may be in force.
  if (session?.status === 'FINISHED') return work.addFields({ repeat: true });
  const sent = readList(await contents.unpack(list));
  const { storedBeforeHeld, isFull = false } = await guard.find(offerId);
  const { hashes, pages } = await places.hashes(offerId);
  const plan = planList(sent, hashes, { ...list, storedBeforeHeld, isFull });
  // Before the list adds points, among which what it holds would look like little.
  const holds = plan.held === 'not confirmed' && !dryRun;
  if (holds && storedBeforeHeld === undefined) await guard.remember(offerId, plan.stored);
  const replaced = plan.toShow.updated.map(({ itemId }) => itemId);
  const changes = changesOf(plan.toShow, await places.storedJson(offerId, replaced));
  const counts = await sessions.record(list, { ...plan, changes }, clock.now());
  work.addFields({ ...counts });
  if (plan.unexpected.length > 0) {
    work.addFields({ unexpected: plan.unexpected.map(errorName) });
    work.addMetrics({ Failed: 1 });
  }
  if (!dryRun) {
    // Removals that the first record did not allow are still not made, whatever this plan says.
    const remove = counts.removalsHeld === undefined ? plan.remove : [];
    const { mayBeMadeLater } = await places.apply(offerId, { put: plan.put, remove });
    // The next list must not begin before that, or a point that it removes could come back.
    if (mayBeMadeLater)
      throw new Error('a write got no response and may still be made: the list ends when it comes back');
    if (holds && !isFull && pages >= fullPages) await guard.markFull(offerId);
    // A list of which nothing was accepted says nothing about what is held.
    const holdsNone = counts.removalsHeld === undefined && !isWhollyRejected(counts);
    if (storedBeforeHeld !== undefined && holdsNone) await guard.clear(offerId, storedBeforeHeld);
  }
  const event = eventOfList(list, counts, clock.now());
  if (await sessions.end(list, 'FINISHED', event && { partnerId, event })) {
    const SessionSeconds = (clock.now() - list.acceptedAt) / 1_000;
    work.addMetrics({ SessionsFinished: 1, SessionSeconds });
  }
}

/** The event of a list that changed something, or whose removals are held. */
function eventOfList(
  { offerId, sessionId, login, dryRun }: ListMessage,
  counts: SyncCounts,
  atMs: number,
): NewEvent | undefined {
  const { received, rejected, added, updated, removed, removalsHeld } = counts;
  if (dryRun || (added + updated + removed === 0 && removalsHeld === undefined)) return undefined;
  const data = { offerId, sessionId, added, updated, removed };
  if (removalsHeld === undefined) return { kind: 'list.finished', by: login, atMs, data };
  return { kind: 'list.held', by: login, atMs, data: { ...data, removalsHeld, received, rejected } };
}

function connect() {
  const places = { places: placeStore, guard: removalGuardStore };
  const stores = { contents: listContentStore, sessions: syncSessionStore, ...places };
  return { ...tableDeps(stores), queue: connectQueue(readEnv('PLACES_QUEUE_URL')) };
}
