import type { SQSEvent } from 'aws-lambda';
import {
  dueCallbacksOf,
  messageAgain,
  readCallbackMessage,
} from '../../shared/callbacks/callback-message.ts';
import { attemptsAtOnce, deliverGroup, type Group } from '../../shared/callbacks/delivery/deliver-group.ts';
import { type DeliveryDeps, deployedDeps } from '../../shared/callbacks/delivery/deps.ts';
import { forward } from '../../shared/callbacks/delivery/forward.ts';
import { delaySecondsOf } from '../../shared/callbacks/endpoint/pace.ts';
import { parkMessage } from '../../shared/platform/queues/parked-store.ts';
import { type Delivery, queueWorker } from '../../shared/platform/queues/queue-worker.ts';
import { limiter } from '../../shared/platform/runtime/in-parallel.ts';
import type { Timed } from '../../shared/platform/runtime/time-left.ts';

const functionOf = { fast: 'DeliverCallback', slow: 'DeliverSlowCallback' } as const;

/** Attempts the callbacks of each message, and queues again those that are left. */
export function deliverCallback(deps = deployedDeps()) {
  return (event: SQSEvent, context?: Timed) => {
    const batch = { batchSize: event.Records.length, limiter: limiter(attemptsAtOnce) };
    const handler = queueWorker(functionOf[deps.lane.name], (delivery) => deliver(deps, delivery, batch));
    return handler(event, context);
  };
}

type Batch = Pick<Group, 'batchSize' | 'limiter'>;

async function deliver(deps: DeliveryDeps, { record, work }: Delivery, batch: Batch): Promise<void> {
  const received = readCallbackMessage(record.body);
  if (!received) {
    work.addFields({ verdict: 'poison' });
    return parkMessage(deps, work, { queue: 'callbacks', record, reason: 'not a callback message' });
  }
  // SQS counts the deliveries of a message that is sent on from the beginning, so the message itself says that it was
  // delivered before.
  const mayBeRepeat = received.kind === 'first' && Number(record.attributes.ApproximateReceiveCount) > 1;
  const message = mayBeRepeat ? { ...received, mayBeRepeat } : received;
  const { partnerId } = message;
  work.addFields({ queueMessageId: record.messageId, partnerId });
  const dues = dueCallbacksOf(message);
  // Callbacks that go on to the slow lane need no slot in the fast one.
  const isForOtherLane = deps.lane.name === 'fast' && deps.speed.isKnownSlow(partnerId);
  const request = { count: dues.length, waits: message.waits };
  const paced = isForOtherLane ? undefined : await deps.pace.takeSlots(partnerId, request);
  const attemptNow = paced ? dues.slice(0, paced.slots.length) : dues;
  if (paced?.waits) {
    const { waits } = paced;
    const later = dues.slice(attemptNow.length);
    work.addFields({
      waitForPace: later.length,
      waitingSince: new Date(waits.since).toISOString(),
      until: new Date(waits.until).toISOString(),
    });
    // Sent before the attempts, because it may have to return while they are under way. No worker waits for its slot.
    const delaySeconds = delaySecondsOf(waits, deps.clock.now());
    await forward(deps.queue, { partnerId, body: messageAgain(message, later, waits), delaySeconds });
  }
  if (attemptNow.length === 0) return;
  const group = { message, dues: attemptNow, slots: paced?.slots, ...batch };
  const ended = await deliverGroup(deps, group, work);
  const errors = ended.flatMap(({ outcome }) => ('error' in outcome ? [outcome.error] : []));
  // If every attempt failed for a reason of ours, the message fails, so that the queue counts its deliveries.
  if (errors.length === attemptNow.length && !paced?.waits) throw errors[0];
  const endedAs = (kind: 'passed on' | 'left') =>
    ended.filter(({ outcome }) => outcome.kind === kind).map(({ due }) => due);
  // Only the callbacks that are not done are sent again.
  const slow = endedAs('passed on');
  if (slow.length > 0 && deps.lane.name === 'fast')
    await forward(deps.lane.slowQueue, { partnerId, body: messageAgain(message, slow) });
  const again = endedAs('left');
  if (again.length > 0) {
    work.addFields({ again: again.length });
    await forward(deps.queue, { partnerId, body: messageAgain(message, again) });
  }
}
