import { type AttemptResult, attemptOf } from '../../shared/callbacks/attempt.ts';
import type { Callback } from '../../shared/callbacks/callback.ts';
import { type CallbackMessage, readCallbackMessage } from '../../shared/callbacks/callback-message.ts';
import {
  type CallbackRow,
  type History,
  historyOf,
  noHistory,
  type Progress,
  withAttempt,
} from '../../shared/callbacks/callback-row.ts';
import type { DeliveryDeps } from '../../shared/callbacks/delivery-deps.ts';
import { drainDelayMs, type Pass } from '../../shared/callbacks/endpoint-health.ts';
import { retryAfterMs } from '../../shared/callbacks/retry-after.ts';
import { passOn, sendDelayed } from '../../shared/callbacks/retry-message.ts';
import { deferredUntil, nextAttemptAt } from '../../shared/callbacks/retry-schedule.ts';
import { signedRequest } from '../../shared/callbacks/signed-request.ts';
import { classifyFailure } from '../../shared/callbacks/whose-failure.ts';
import { type Delivery, queueWorker } from '../../shared/queues/queue-worker.ts';
import type { Work } from '../../shared/runtime/log.ts';

/** Longer than a worker lives: a row whose worker died comes due again then, and not while it may be at work. */
const claimMs = 90_000;

/** A callback that this worker alone may attempt now; a retry has its row in hand. */
type Held = { callback: Callback; history: History; row?: CallbackRow };
type Admitted = Extract<Pass, { kind: 'attempt' }>;

/**
 * Makes the attempt that a message stands for, at once or for a row whose retry is due, and writes down what
 * must happen next. A first attempt that succeeds writes nothing.
 */
export function deliverCallback(deps: DeliveryDeps) {
  return queueWorker(functionOf[deps.lane.name], (delivery) => deliver(deps, delivery));
}

const functionOf = { fast: 'DeliverCallback', slow: 'DeliverSlowCallback' } as const;

async function deliver(deps: DeliveryDeps, { record, work }: Delivery): Promise<void> {
  const message = readCallbackMessage(record.body);
  if (!message) return park(deps, { record, work });
  const { partnerId, messageId, state } = message;
  work.addFields({ queueMessageId: record.messageId, partnerId, messageId, state });
  const mayBeRepeat = Number(record.attributes.ApproximateReceiveCount) > 1;
  // Its first try may have left a row before the message could be deleted: then the row has it.
  if (message.kind === 'first' && mayBeRepeat && (await deps.callbacks.exists(message)))
    return work.addFields({ result: 'repeat' });
  if (await passedOn(deps, message, { record, work })) return;
  const held = await hold(deps, message);
  if (!held) return work.addFields({ result: 'repeat' });
  const { msisdn, requestId } = held.callback;
  work.addFields({ requestId, msisdnEnd: String(msisdn).slice(-4) });

  const pass = await deps.health.enter(partnerId);
  if (pass.kind === 'skip') {
    work.addFields({ result: 'skipped', reason: pass.reason });
    work.addMetrics({ CallbacksSkipped: 1 });
    await write(deps, held, { ...held.history, status: 'skipped', reason: pass.reason });
  } else if (pass.kind === 'wait') {
    const { deferrals } = held.history;
    const dueAt = deferredUntil({ openUntilMs: pass.untilMs, deferrals }, deps.chance, deps.retrySpeed);
    work.addFields({ result: 'deferred', dueAt });
    work.addMetrics({ CallbacksDeferred: 1 });
    await write(deps, held, { ...held.history, status: 'waiting', dueAt, deferrals: deferrals + 1 });
  } else {
    await attempt(deps, { held, pass, work });
  }
}

async function park({ parked, clock }: DeliveryDeps, { record, work }: Delivery): Promise<void> {
  const reason = 'not a callback message';
  work.addFields({ parked: reason, verdict: classifyFailure('unreadable') });
  work.addMetrics({ Parked: 1 });
  const { messageId, body } = record;
  await parked.park({ queue: 'callbacks', messageId, body }, reason, clock.now());
}

/**
 * Passes what would hold up the batch on to the slow lane. Before a row is claimed: it keeps its turn, and the
 * time for which it was reserved. Probes of an open circuit stay here: there is one a cooldown.
 */
async function passedOn(
  { lane, speed, health }: DeliveryDeps,
  message: CallbackMessage,
  { record, work }: Delivery,
): Promise<boolean> {
  const { partnerId } = message;
  if (lane.name === 'slow' || !(await health.isInService(partnerId)) || !speed.isSlow(partnerId))
    return false;
  await passOn(lane.slowQueue, { partnerId, body: record.body });
  work.addFields({
    result: 'passed on',
    ...(message.kind === 'first' ? { requestId: message.requestId } : {}),
  });
  work.addMetrics({ CallbacksSlow: 1 });
  return true;
}

/** Takes the callback for this worker, or nothing when another message or worker has taken it further. */
async function hold(
  { callbacks, clock, ids }: DeliveryDeps,
  message: CallbackMessage,
): Promise<Held | undefined> {
  if (message.kind === 'first') {
    const { kind: _first, ...callback } = message;
    return { callback, history: noHistory };
  }
  const claim = { by: ids.uuid(), nowMs: clock.now(), leaseMs: claimMs };
  const row = await callbacks.claim(message, message.version, claim);
  return row && { callback: row, history: historyOf(row), row };
}

type Attempting = { held: Held; pass: Admitted; work: Work };

async function attempt(deps: DeliveryDeps, { held, pass, work }: Attempting): Promise<void> {
  const { client, clock } = deps;
  const startedAt = clock.now();
  const result = await client.post(signedRequest(pass.endpoint, held.callback, startedAt));
  const history = withAttempt(held.history, attemptOf(startedAt, result));
  work.addFields({
    attempt: history.tries,
    probe: pass.probe,
    httpStatus: result.httpStatus,
    exchangeMs: result.durationMs,
  });
  if (!result.ok) work.addFields({ error: result.error });
  if (!result.ok && classifyFailure(result.error) === 'ours')
    throw new Error(`no attempt could be made: ${result.error}`);
  deps.speed.learn(held.callback.partnerId, result);
  if (result.ok) return delivered(deps, { held, history, work });
  await notDelivered(deps, { held, pass, work }, { result, history });
}

async function delivered(
  deps: DeliveryDeps,
  { held, history, work }: { held: Held; history: History; work: Work },
): Promise<void> {
  const { health, callbacks, clock } = deps;
  const { partnerId, changedAt } = held.callback;
  work.addFields({ result: 'delivered' });
  work.addMetrics({ CallbacksDelivered: 1, CallbackSeconds: (clock.now() - changedAt) / 1_000 });
  if (held.row) await write(deps, held, { ...history, status: 'delivered' });
  // Asked for before the circuit closes: a worker that dies in between costs a probe, not the drain.
  if (await health.closesCircuit(partnerId)) {
    await callbacks.startDrain(partnerId, clock.now() + drainDelayMs);
    work.addFields({ circuit: 'closed' });
  }
  await health.succeeded(partnerId);
}

async function notDelivered(
  deps: DeliveryDeps,
  { held, pass, work }: Attempting,
  { result, history }: { result: Extract<AttemptResult, { ok: false }>; history: History },
): Promise<void> {
  const { health, callbacks, clock, chance, queue, retrySpeed } = deps;
  const { partnerId } = held.callback;
  const verdict = await health.failed(pass, {
    timedOut: result.error === 'timeout',
    gone: result.httpStatus === 410,
  });
  if (verdict.opened) {
    work.addFields({ circuit: 'opened' });
    await callbacks.stopDrain(partnerId);
  }
  if (verdict.disabled) {
    work.addFields({ result: 'skipped', disabled: verdict.disabled });
    work.addMetrics({ CallbacksSkipped: 1 });
    await write(deps, held, { ...history, status: 'skipped', reason: verdict.disabled });
    return;
  }
  const atMs = clock.now();
  const askedMs = retryAfterMs(result.retryAfter, atMs);
  const scheduled = nextAttemptAt({ tries: history.tries, atMs, retryAfterMs: askedMs }, chance, retrySpeed);
  if (scheduled === undefined) {
    work.addFields({ result: 'failed' });
    work.addMetrics({ CallbacksSkipped: 1 });
    await write(deps, held, { ...history, status: 'failed', reason: 'all attempts failed' });
    return;
  }
  const dueAt = Math.max(scheduled, verdict.openUntilMs ?? 0);
  work.addFields({ result: 'retry', dueAt });
  work.addMetrics({ CallbacksRetried: 1 });
  const version = await write(deps, held, { ...history, status: 'waiting', dueAt });
  if (version !== undefined) {
    const delayed = await sendDelayed(queue, { ref: held.callback, version }, dueAt - atMs);
    work.addFields({ delayedMessage: delayed });
  }
}

/** Nothing to write means that the row has moved on (a duplicate was faster): then that one's word counts. */
function write({ callbacks, clock }: DeliveryDeps, { callback, row }: Held, progress: Progress) {
  return row
    ? callbacks.advance(row, progress, clock.now())
    : callbacks.create(callback, progress, clock.now());
}
