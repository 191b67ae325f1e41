import type { SQSRecord } from 'aws-lambda';
import type { PlaceStore } from '../../shared/places/place-store.ts';
import { SliceMessage, unpackSlice } from '../../shared/places/slice-message.ts';
import { planSlice, type SlicePlan } from '../../shared/places/slice-plan.ts';
import { sessionMetrics } from '../../shared/places/sync-session.ts';
import type { SyncSessionStore } from '../../shared/places/sync-session-store.ts';
import { type Delivery, queueWorker } from '../../shared/queues/queue-worker.ts';
import type { Clock } from '../../shared/runtime/clock.ts';

type Deps = {
  places: Pick<PlaceStore, 'hashesIn' | 'apply'>;
  sessions: Pick<SyncSessionStore, 'find' | 'recordPlan' | 'finishSlice'>;
  clock: Clock;
};

/**
 * Processes slices of sync sessions. Slices of one session own separate ranges and run side by side; a later
 * session of the same offer waits for the earlier one, also during retries.
 */
export function processSlice(deps: Deps) {
  return queueWorker('ProcessSlice', (delivery) => process(deps, delivery), {
    groupOf: (record) => record.attributes.MessageGroupId ?? record.messageId,
    stepOf: sessionOf,
  });
}

async function process({ places, sessions, clock }: Deps, { record, work }: Delivery): Promise<void> {
  const message = SliceMessage.parse(JSON.parse(record.body));
  const { partnerId, offerId, sessionId, requestId, slice, dryRun } = message;
  work.addFields({ partnerId, offerId, sessionId, requestId, slice });
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
    if (changes(plan) || mayBeHalfDone)
      counts = await sessions.recordPlan(message, slice, counts, clock.now());
    await places.apply(offerId, plan);
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

/** The deduplication id is `<sessionId>:<slice>`, so the order is known before any body is read. */
function sessionOf(record: SQSRecord): string {
  return record.attributes.MessageDeduplicationId?.split(':')[0] ?? record.messageId;
}
