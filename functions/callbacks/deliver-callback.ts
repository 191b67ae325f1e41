import type { SQSEvent } from 'aws-lambda';
import { dueCallbacksOf, readCallbackMessage, sendAgain } from '../../shared/callbacks/callback-message.ts';
import { measureWait } from '../../shared/callbacks/delivery/deliver.ts';
import {
  attemptsAtOnce,
  type Batch,
  deliverGroup,
  slowQueueOf,
} from '../../shared/callbacks/delivery/deliver-group.ts';
import { type DeliveryDeps, deployedDeps } from '../../shared/callbacks/delivery/deps.ts';
import { delaySecondsOf } from '../../shared/callbacks/endpoint/pace.ts';
import { parkMessage } from '../../shared/platform/queues/parked-store.ts';
import { type Delivery, queueWorker } from '../../shared/platform/queues/queue-worker.ts';
import { limiter } from '../../shared/platform/runtime/in-parallel.ts';
import type { Timed } from '../../shared/platform/runtime/time-left.ts';

const functionOf = { fast: 'DeliverCallback', slow: 'DeliverSlowCallback' } as const;

/** Attempts the callbacks of each message, and queues again those that are left. */
export function deliverCallback(deps = deployedDeps()) {
  return (event: SQSEvent, context?: Timed) => {
    const batch = { size: event.Records.length, limiter: limiter(attemptsAtOnce) };
    const handler = queueWorker(functionOf[deps.lane.name], (delivery) =>
      deliverMessage(deps, delivery, batch),
    );
    return handler(event, context);
  };
}

async function deliverMessage(deps: DeliveryDeps, { record, work }: Delivery, batch: Batch): Promise<void> {
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
  const slowQueue = await slowQueueOf(deps, partnerId);
  if (slowQueue) {
    for (const _due of dues) measureWait(deps, message, work);
    work.addFields({
      result: 'passed on',
      requestId: message.kind === 'first' ? message.requestId : undefined,
      callbacks: dues.length,
    });
    work.addMetrics({ CallbacksSlow: dues.length });
    return sendAgain(slowQueue, message, { dues });
  }
  const paced = await deps.pace.takeSlots(partnerId, { count: dues.length, waits: message.waits });
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
    await sendAgain(deps.queue, message, { dues: later, waits, delaySeconds });
  }
  if (attemptNow.length === 0) return;
  const ended = await deliverGroup(deps, { message, dues: attemptNow, slots: paced?.slots, batch }, work);
  const errors = ended.flatMap(({ outcome }) => ('error' in outcome ? [outcome.error] : []));
  // If every attempt failed for a reason of ours, the message fails, so that the queue counts its deliveries.
  if (errors.length === attemptNow.length && !paced?.waits) throw errors[0];
  const left = ended.filter(({ outcome }) => outcome.kind === 'left').map(({ due }) => due);
  if (left.length === 0) return;
  const slowNow = await slowQueueOf(deps, partnerId);
  if (slowNow) work.addMetrics({ CallbacksSlow: left.length });
  work.addFields({ again: left.length });
  await sendAgain(slowNow ?? deps.queue, message, { dues: left });
}
