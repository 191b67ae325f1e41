import { SliceMessage, unpackSlice } from '../../shared/places/slice-message.ts';
import { failSlice, type SliceResult } from '../../shared/places/slice-plan.ts';
import { sessionMetrics } from '../../shared/places/sync-session.ts';
import type { SyncSessionStore } from '../../shared/places/sync-session-store.ts';
import type { ParkedStore } from '../../shared/queues/parked-store.ts';
import { type Delivery, queueWorker } from '../../shared/queues/queue-worker.ts';
import type { Clock } from '../../shared/runtime/clock.ts';

type Deps = { sessions: Pick<SyncSessionStore, 'find' | 'finishSlice'>; parked: ParkedStore; clock: Clock };

/**
 * Ends slices that failed too often, so that their session finishes: every item becomes an error that asks to be
 * sent again. A message that cannot be read is parked with its reason.
 */
export function endFailedSlice(deps: Deps) {
  return queueWorker('EndFailedSlice', (delivery) => endSlice(deps, delivery), {
    groupOf: (record) => record.attributes.MessageGroupId ?? record.messageId,
  });
}

async function endSlice(deps: Deps, { record, work }: Delivery): Promise<void> {
  const now = deps.clock.now();
  const park = (reason: string) =>
    deps.parked.park({ queue: 'places-sync', messageId: record.messageId, body: record.body }, reason, now);

  const message = readMessage(record.body);
  if (!message) {
    work.addFields({ parked: 'not a slice message' });
    work.addMetrics({ Parked: 1 });
    return park('not a slice message');
  }
  const { partnerId, offerId, sessionId, requestId, slice } = message;
  work.addFields({ partnerId, offerId, sessionId, requestId, slice });
  // A batch that failed as a whole brings back slices that were finished: their items are not errors.
  const session = await deps.sessions.find(message, now);
  if (!session?.pending.has(slice)) {
    work.addFields({ repeat: true });
    return;
  }
  const result = await unpackSlice(message).then(
    // A slice without items only removes points: those stay, and the session must report it.
    ({ items }) => (items.length > 0 ? failSlice(items) : lost(slice, 'could not be processed', 0)),
    async () => {
      work.addMetrics({ Parked: 1 });
      await park('the content of the slice cannot be unpacked');
      return lost(slice, 'could not be read', 1);
    },
  );
  const finished = await deps.sessions.finishSlice(message, slice, result, now);
  work.addFields({ rejected: result.counts.rejected });
  work.addMetrics(sessionMetrics(finished, now));
}

function readMessage(body: string): SliceMessage | undefined {
  try {
    return SliceMessage.parse(JSON.parse(body));
  } catch {
    return undefined;
  }
}

/** `rejected`: how many elements of the list are lost with the slice, as far as is known. */
function lost(slice: number, why: string, rejected: number): SliceResult {
  return {
    counts: { added: 0, updated: 0, unchanged: 0, removed: 0, rejected },
    rejected: [
      {
        index: 0,
        place: {},
        description: `places: part ${slice + 1} of the list ${why}, send the list again`,
      },
    ],
  };
}
