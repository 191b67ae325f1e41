import type { NewEvent } from '../../shared/events/event.ts';
import { AcceptedList } from '../../shared/places/list-message.ts';
import { syncSessionStore } from '../../shared/places/sync-session.ts';
import { parkedStore, parkMessage } from '../../shared/platform/queues/parked-store.ts';
import { parseMessageBody, queueWorker } from '../../shared/platform/queues/queue-worker.ts';
import { tableDeps } from '../../shared/platform/table/table.ts';

/**
 * Ends the sessions of lists that failed too often, with an error that asks for the list again. What was applied stays,
 * and nothing more is applied or removed: a later list may be in force. A message that cannot be read is parked with
 * its reason.
 */
export function endFailedSync(deps = tableDeps({ parked: parkedStore, sessions: syncSessionStore })) {
  return queueWorker('EndFailedSync', async ({ record, work }) => {
    const { sessions, clock } = deps;
    const list = parseMessageBody(AcceptedList, record.body);
    if (!list) return parkMessage(deps, work, { queue: 'places-sync', record, reason: 'not a list message' });
    const { partnerId, offerId, sessionId, requestId, login, dryRun } = list;
    work.addFields({ partnerId, offerId, sessionId, requestId });
    await sessions.begin(list);
    // A message whose deletion was lost comes here too, though its list was processed.
    const atMs = clock.now();
    const failed: NewEvent = { kind: 'list.failed', by: login, atMs, data: { offerId, sessionId } };
    if (!(await sessions.end(list, 'FAILED', dryRun ? undefined : { partnerId, event: failed })))
      return work.addFields({ repeat: true });
    work.addMetrics({ SessionsFinished: 1, SessionSeconds: (atMs - list.acceptedAt) / 1_000 });
  });
}
