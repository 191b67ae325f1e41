import type { SQSEvent } from 'aws-lambda';
import {
  type CallbackMessage,
  type DueCallback,
  dueCallbacksOf,
  messageAgain,
  type PaceWait,
  readCallbackMessage,
} from '../../shared/callbacks/callback-message.ts';
import { attemptGroup, attemptsAtOnce } from '../../shared/callbacks/delivery/attempt-group.ts';
import { type DeliveryDeps, deployedDeps } from '../../shared/callbacks/delivery/deps.ts';
import { forward } from '../../shared/callbacks/delivery/forward.ts';
import { delaySecondsOf, type Turns } from '../../shared/callbacks/endpoint/pace.ts';
import type { Work } from '../../shared/platform/logging/log.ts';
import { parkMessage } from '../../shared/platform/queues/parked-store.ts';
import { type Delivery, queueWorker } from '../../shared/platform/queues/queue-worker.ts';
import { slots } from '../../shared/platform/runtime/in-parallel.ts';
import type { Timed } from '../../shared/platform/runtime/time-left.ts';

const functionOf = { fast: 'DeliverCallback', slow: 'DeliverSlowCallback' } as const;

/** Attempts the callbacks of each message, and sends on what is left of it. */
export function deliverCallback(deps = deployedDeps()) {
  return (event: SQSEvent, context?: Timed) => {
    const batch = { batchSize: event.Records.length, slots: slots(attemptsAtOnce) };
    return queueWorker(functionOf[deps.lane.name], (delivery) => deliver(deps, delivery, batch))(
      event,
      context,
    );
  };
}

type Batch = { batchSize: number; slots: ReturnType<typeof slots> };

async function deliver(deps: DeliveryDeps, { record, work }: Delivery, batch: Batch): Promise<void> {
  const received = readCallbackMessage(record.body);
  if (!received) {
    work.addFields({ verdict: 'poison' });
    return parkMessage(deps, work, { queue: 'callbacks', record, reason: 'not a callback message' });
  }
  const message = withDeliveries(received, Number(record.attributes.ApproximateReceiveCount));
  const { partnerId } = message;
  work.addFields({ queueMessageId: record.messageId, partnerId });
  const dues = dueCallbacksOf(message);
  const turns = await turnsOf(deps, { partnerId, count: dues.length, waits: message.waits });
  const now = turns ? dues.slice(0, turns.slots.length) : dues;
  // Before the attempts: it may have to be back while they are under way.
  if (turns?.waits) await wait(deps, { message, dues: dues.slice(now.length), waits: turns.waits, work });
  if (now.length === 0) return;
  const { recordedAt, requestId, mayBeRepeat = false } = message.kind === 'first' ? message : {};
  const group = {
    partnerId,
    dues: now,
    turns: turns?.slots,
    // How long a callback waited for the pace of its endpoint says nothing about us.
    recordedAt: message.waits ? undefined : recordedAt,
    requestId,
    mayBeRepeat,
    ...batch,
  };
  const ended = await attemptGroup(deps, group, work);
  const errors = ended.flatMap(({ outcome }) => ('error' in outcome ? [outcome.error] : []));
  // Nothing could be done: the queue counts how often that happens.
  if (errors.length === now.length && !turns?.waits) throw errors[0];
  const endedAs = (kind: 'passed on' | 'left') =>
    ended.filter(({ outcome }) => outcome.kind === kind).map(({ due }) => due);
  // What is done is not attempted again.
  const slow = endedAs('passed on');
  if (slow.length > 0 && deps.lane.name === 'fast')
    await forward(deps.lane.slowQueue, { partnerId, body: messageAgain(message, slow) });
  const again = endedAs('left');
  if (again.length > 0) {
    work.addFields({ again: again.length });
    await forward(deps.queue, { partnerId, body: messageAgain(message, again) });
  }
}

/** What is sent on has a new message, whose deliveries SQS counts from the beginning: it says that there were others. */
function withDeliveries(message: CallbackMessage, count: number): CallbackMessage {
  return message.kind === 'first' && count > 1 ? { ...message, mayBeRepeat: true } : message;
}

/** When the callbacks may be attempted, if the endpoint has a pace. What the other lane gets needs no turn in this one. */
async function turnsOf(
  { pace, lane, speed }: DeliveryDeps,
  { partnerId, ...request }: { partnerId: string; count: number; waits: PaceWait | undefined },
): Promise<Turns | undefined> {
  if (lane.name === 'fast' && speed.isKnownSlow(partnerId)) return undefined;
  return pace.turns(partnerId, request);
}

type Waiting = { message: CallbackMessage; dues: readonly DueCallback[]; waits: PaceWait; work: Work };

/** Sends callbacks on in a message that returns when they may be attempted. No worker waits for that. */
async function wait({ queue, clock }: DeliveryDeps, { message, dues, waits, work }: Waiting): Promise<void> {
  const { partnerId } = message;
  work.addFields({
    waitForPace: dues.length,
    waitingSince: new Date(waits.since).toISOString(),
    until: new Date(waits.until).toISOString(),
  });
  const delaySeconds = delaySecondsOf(waits, clock.now());
  await forward(queue, { partnerId, body: messageAgain(message, dues, waits), delaySeconds });
}
