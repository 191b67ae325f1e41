import type { SQSEvent } from 'aws-lambda';
import { endpointFields } from '../../shared/callbacks/alerts-endpoint.ts';
import {
  type CallbackMessage,
  type DueCallback,
  dueCallbacksOf,
  readCallbackMessage,
  sendAgain,
} from '../../shared/callbacks/callback-message.ts';
import { measureWait } from '../../shared/callbacks/delivery/deliver.ts';
import {
  attemptsAtOnce,
  type Batch,
  deliverGroup,
  slowQueueOf,
} from '../../shared/callbacks/delivery/deliver-group.ts';
import { deliverToFeed } from '../../shared/callbacks/delivery/deliver-to-feed.ts';
import { type DeliveryDeps, deployedDeps } from '../../shared/callbacks/delivery/deps.ts';
import { delaySecondsOf } from '../../shared/callbacks/endpoint/pace.ts';
import type { Work } from '../../shared/platform/logging/log.ts';
import { parkMessage } from '../../shared/platform/queues/parked-store.ts';
import { type Delivery, queueWorker } from '../../shared/platform/queues/queue-worker.ts';
import { minutes } from '../../shared/platform/runtime/clock.ts';
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
  if (!received)
    return parkMessage(deps, work, { queue: 'callbacks', record, reason: 'not a callback message' });
  // A message that is sent on begins again at a receive count of 1, so it says itself that it was delivered before.
  const isRedelivered = Number(record.attributes.ApproximateReceiveCount) > 1;
  const mayBeRepeat =
    received.kind === 'first' && (isRedelivered || mayBeRedriven(received, deps.clock.now()));
  const message = mayBeRepeat ? { ...received, mayBeRepeat } : received;
  const { partnerId: endpointId } = message;
  const requestId = message.kind === 'first' ? message.requestId : undefined;
  work.addFields({ ...endpointFields(endpointId), requestId });
  if (await deps.health.isFeed(endpointId)) return deliverToFeed(deps, message, work);
  const dueCallbacks = dueCallbacksOf(message);
  if (await slowQueueOf(deps, endpointId)) {
    // Each callback is a sample of its own.
    for (const _due of dueCallbacks) measureWait(deps, message, work);
    return sendLeft(deps, message, { left: dueCallbacks, work });
  }
  const paced = await deps.pace.takeSlots(endpointId, {
    count: dueCallbacks.length,
    ofRow: message.kind === 'retry',
    inLine: message.waits,
  });
  const attemptNow = paced ? dueCallbacks.slice(0, paced.slots.length) : dueCallbacks;
  if (paced?.inLine) {
    const { inLine } = paced;
    const later = dueCallbacks.slice(attemptNow.length);
    work.addFields({
      inLine: later.length,
      inLineSince: new Date(inLine.since).toISOString(),
      inLineUntil: new Date(inLine.until).toISOString(),
    });
    // Sent before the attempts, because it may have to return while they are under way. No worker waits for its slot.
    const delaySeconds = delaySecondsOf(inLine, deps.clock.now());
    await sendAgain(deps.queue, message, { dueCallbacks: later, inLine, delaySeconds });
  }
  if (attemptNow.length === 0) return;
  const results = await deliverGroup(
    deps,
    { message, dueCallbacks: attemptNow, slots: paced?.slots, batch },
    work,
  );
  const errors = results.flatMap(({ decision }) => (decision.kind === 'left' && decision.error) || []);
  // If every attempt failed for a reason of ours, the message fails, so that the queue counts its deliveries; a retry
  // comes due again, because its claim has made this message void. If some wait in line, they are in the queue already,
  // and a return of the whole message would send them twice.
  if (errors.length === attemptNow.length && !paced?.inLine) throw errors[0];
  const left = results.filter(({ decision }) => decision.kind === 'left').map(({ due }) => due);
  // A callback that ended in an error may have been attempted, and its row written.
  const isDoubtful = errors.length > 0 && message.kind === 'first';
  const rest = isDoubtful ? { ...message, mayBeRepeat: true as const } : message;
  if (left.length > 0) await sendLeft(deps, rest, { left, work });
}

type First = Extract<CallbackMessage, { kind: 'first' }>;

/**
 * A redrive of the dead-letter queue begins the receive count again, after five deliveries of six minutes. What waits in a
 * line may be as late, and is not looked up.
 */
function mayBeRedriven({ recordedAt = 0, waits }: First, nowMs: number): boolean {
  return !waits && nowMs - recordedAt > minutes(20);
}

/** Queues callbacks again in the fast lane, or in the slow one if it is their endpoint's by now. */
async function sendLeft(
  deps: DeliveryDeps,
  message: CallbackMessage,
  { left, work }: { left: readonly DueCallback[]; work: Work },
): Promise<void> {
  const slowQueue = await slowQueueOf(deps, message.partnerId);
  if (slowQueue) work.addMetrics({ CallbacksSlow: left.length });
  work.addFields({ [slowQueue ? 'toSlowLane' : 'again']: left.length });
  await sendAgain(slowQueue ?? deps.queue, message, { dueCallbacks: left });
}
