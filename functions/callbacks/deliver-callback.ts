import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { attemptGroup, attemptsAtOnce, type Group } from '../../shared/callbacks/attempt-group.ts';
import {
  type CallbackMessage,
  callbacksOf,
  firstMessage,
  readCallbackMessage,
} from '../../shared/callbacks/callback-message.ts';
import type { DeliveryDeps } from '../../shared/callbacks/delivery-deps.ts';
import type { Due } from '../../shared/callbacks/make-attempt.ts';
import { forward } from '../../shared/callbacks/retry-message.ts';
import { classifyFailure } from '../../shared/callbacks/whose-failure.ts';
import { type Delivery, queueWorker } from '../../shared/queues/queue-worker.ts';
import { slots } from '../../shared/runtime/in-parallel.ts';
import type { Timed } from '../../shared/runtime/time-left.ts';

type Batch = Pick<Group, 'batchSize' | 'slots'>;

const functionOf = { fast: 'DeliverCallback', slow: 'DeliverSlowCallback' } as const;

/** Attempts the callbacks of each message and carries out what follows from the results. */
export function deliverCallback(deps: DeliveryDeps) {
  return (event: SQSEvent, context?: Timed) => {
    const batch: Batch = { batchSize: event.Records.length, slots: slots(attemptsAtOnce) };
    return queueWorker(functionOf[deps.lane.name], (delivery) => deliver(deps, delivery, batch))(
      event,
      context,
    );
  };
}

async function deliver(deps: DeliveryDeps, { record, work }: Delivery, batch: Batch): Promise<void> {
  const message = readCallbackMessage(record.body);
  if (!message) return park(deps, { record, work });
  const { partnerId } = message;
  const dues = duesOf(message);
  work.addFields({ queueMessageId: record.messageId, partnerId });
  const { slow, left, failed } = await attemptGroup(
    deps,
    { ...groupOf(message, record), dues, ...batch },
    work,
  );
  // Nothing could be done: the queue counts how often that happens.
  if (failed.length === dues.length) throw failed[0]?.error;
  const again = [...left, ...failed.map(({ due }) => due)];
  const body = (some: readonly Due[]) =>
    message.kind === 'first' && some.length < dues.length ? bodyWith(message, some) : record.body;
  if (slow.length > 0 && deps.lane.name === 'fast')
    await forward(deps.lane.slowQueue, { partnerId, body: body(slow) });
  if (again.length > 0) {
    work.addFields({ again: again.length });
    await forward(deps.queue, { partnerId, body: body(again) });
  }
}

function duesOf(message: CallbackMessage): Due[] {
  if (message.kind === 'retry') return [{ retry: message }];
  return callbacksOf(message).map((callback) => ({ callback }));
}

function groupOf(message: CallbackMessage, { attributes }: SQSRecord): Omit<Group, 'dues' | keyof Batch> {
  const { partnerId } = message;
  const mayBeRepeat = Number(attributes.ApproximateReceiveCount) > 1;
  if (message.kind === 'retry') return { partnerId, mayBeRepeat };
  const { recordedAt, requestId } = message;
  return { partnerId, mayBeRepeat, recordedAt, requestId };
}

/** A message with a part of the callbacks of another: what is done is not attempted again. */
function bodyWith(message: Extract<CallbackMessage, { kind: 'first' }>, some: readonly Due[]): string {
  return firstMessage(
    message,
    some.flatMap((due) => ('callback' in due ? [due.callback] : [])),
  );
}

async function park({ parked, clock }: DeliveryDeps, { record, work }: Delivery): Promise<void> {
  const reason = 'not a callback message';
  work.addFields({ parked: reason, verdict: classifyFailure('unreadable') });
  work.addMetrics({ Parked: 1 });
  const { messageId, body } = record;
  await parked.park({ queue: 'callbacks', messageId, body }, reason, clock.now());
}
