import type { SQSEvent } from 'aws-lambda';
import { classifyFailure } from '../../shared/callbacks/attempt.ts';
import {
  type DueCallback,
  dueCallbacksOf,
  firstMessage,
  readCallbackMessage,
} from '../../shared/callbacks/callback-message.ts';
import { attemptGroup, attemptsAtOnce } from '../../shared/callbacks/delivery/attempt-group.ts';
import type { DeliveryDeps } from '../../shared/callbacks/delivery/deps.ts';
import { forward } from '../../shared/callbacks/delivery/forward.ts';
import { type Delivery, queueWorker } from '../../shared/platform/queues/queue-worker.ts';
import { slots } from '../../shared/platform/runtime/in-parallel.ts';
import type { Timed } from '../../shared/platform/runtime/time-left.ts';

const functionOf = { fast: 'DeliverCallback', slow: 'DeliverSlowCallback' } as const;

/** Attempts the callbacks of each message, and sends on what is left of it. */
export function deliverCallback(deps: DeliveryDeps) {
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
  const message = readCallbackMessage(record.body);
  if (!message) return park(deps, { record, work });
  const { partnerId } = message;
  const dues = dueCallbacksOf(message);
  work.addFields({ queueMessageId: record.messageId, partnerId });
  const { recordedAt, requestId } = message.kind === 'first' ? message : {};
  const mayBeRepeat = Number(record.attributes.ApproximateReceiveCount) > 1;
  const group = { partnerId, dues, recordedAt, requestId, mayBeRepeat, ...batch };
  const ended = await attemptGroup(deps, group, work);
  const errors = ended.flatMap(({ outcome }) => ('error' in outcome ? [outcome.error] : []));
  // Nothing could be done: the queue counts how often that happens.
  if (errors.length === dues.length) throw errors[0];
  const endedAs = (kind: 'passed on' | 'left') =>
    ended.filter(({ outcome }) => outcome.kind === kind).map(({ due }) => due);
  /** What is done is not attempted again. */
  const body = (some: readonly DueCallback[]) => {
    const callbacks = some.flatMap((due) => ('callback' in due ? [due.callback] : []));
    return message.kind === 'first' ? firstMessage(message, callbacks) : record.body;
  };
  const slow = endedAs('passed on');
  if (slow.length > 0 && deps.lane.name === 'fast')
    await forward(deps.lane.slowQueue, { partnerId, body: body(slow) });
  const again = endedAs('left');
  if (again.length > 0) {
    work.addFields({ again: again.length });
    await forward(deps.queue, { partnerId, body: body(again) });
  }
}

async function park({ parked, clock }: DeliveryDeps, { record, work }: Delivery): Promise<void> {
  const reason = 'not a callback message';
  work.addFields({ parked: reason, verdict: classifyFailure('unreadable') });
  work.addMetrics({ Parked: 1 });
  const { messageId, body } = record;
  await parked.park({ queue: 'callbacks', messageId, body }, reason, clock.now());
}
