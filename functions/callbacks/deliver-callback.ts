import { attemptOf } from '../../shared/callbacks/attempt.ts';
import { type CallbackMessage, readCallbackMessage } from '../../shared/callbacks/callback-message.ts';
import { historyOf, noHistory } from '../../shared/callbacks/callback-row.ts';
import { type Claimed, carryOut } from '../../shared/callbacks/carry-out.ts';
import type { DeliveryDeps } from '../../shared/callbacks/delivery-deps.ts';
import { type Facts, outcomeOf } from '../../shared/callbacks/outcome.ts';
import { forward } from '../../shared/callbacks/retry-message.ts';
import { signedRequest } from '../../shared/callbacks/signed-request.ts';
import { classifyFailure } from '../../shared/callbacks/whose-failure.ts';
import { type Delivery, queueWorker } from '../../shared/queues/queue-worker.ts';
import type { Work } from '../../shared/runtime/log.ts';

/** Longer than a worker lives: the row of a worker that died comes due again, one under attempt does not. */
const claimMs = 90_000;

const functionOf = { fast: 'DeliverCallback', slow: 'DeliverSlowCallback' } as const;

/** Attempts the callback of each message and carries out what follows from the result. */
export function deliverCallback(deps: DeliveryDeps) {
  return queueWorker(functionOf[deps.lane.name], (delivery) => deliver(deps, delivery));
}

async function deliver(deps: DeliveryDeps, { record, work }: Delivery): Promise<void> {
  const message = readCallbackMessage(record.body);
  if (!message) return park(deps, { record, work });
  const { partnerId, messageId, state } = message;
  work.addFields({ queueMessageId: record.messageId, partnerId, messageId, state });
  const mayBeRepeat = Number(record.attributes.ApproximateReceiveCount) > 1;
  // An earlier delivery of this message may have written the row and failed to delete the message.
  if (message.kind === 'first' && mayBeRepeat && (await deps.callbacks.exists(message)))
    return work.addFields({ result: 'repeat' });
  measureFirst(deps, message, work);
  if (await forwardIfSlow(deps, message, { record, work })) return;
  const claimed = await claim(deps, message);
  if (!claimed) return work.addFields({ result: 'repeat' });
  const { msisdn, requestId } = claimed.callback;
  work.addFields({ requestId, msisdnEnd: String(msisdn).slice(-4) });
  const facts = await attempt(deps, claimed, work);
  const { chance, retrySpeed } = deps;
  const outcome = outcomeOf(facts, { nowMs: deps.clock.now(), chance, retrySpeed });
  await carryOut(deps, claimed, { outcome, work });
}

/** In the slow lane slow endpoints wait for each other, so what counts is when the fast lane forwarded the callback. */
function measureFirst({ lane, clock }: DeliveryDeps, message: CallbackMessage, work: Work): void {
  if (message.kind !== 'first' || message.recordedAt === undefined || lane.name === 'slow') return;
  // CloudWatch has no percentiles of a metric with negative values, which two clocks could make.
  work.addMetrics({ FirstAttemptSeconds: Math.max(0, clock.now() - message.recordedAt) / 1_000 });
}

async function park({ parked, clock }: DeliveryDeps, { record, work }: Delivery): Promise<void> {
  const reason = 'not a callback message';
  work.addFields({ parked: reason, verdict: classifyFailure('unreadable') });
  work.addMetrics({ Parked: 1 });
  const { messageId, body } = record;
  await parked.park({ queue: 'callbacks', messageId, body }, reason, clock.now());
}

/**
 * Moves what would delay the batch to the slow lane, before its row is claimed: the row keeps its version and due
 * time. Probes of an open circuit stay: there is one for each cooldown.
 */
async function forwardIfSlow(
  { lane, speed, health }: DeliveryDeps,
  message: CallbackMessage,
  { record, work }: Delivery,
): Promise<boolean> {
  const { partnerId } = message;
  if (lane.name === 'slow' || !(await health.isInService(partnerId)) || !speed.isSlow(partnerId))
    return false;
  await forward(lane.slowQueue, { partnerId, body: record.body });
  const requestId = message.kind === 'first' ? { requestId: message.requestId } : {};
  work.addFields({ result: 'passed on', ...requestId });
  work.addMetrics({ CallbacksSlow: 1 });
  return true;
}

/** `undefined` when another message or worker has already taken the callback further. */
async function claim(
  { callbacks, clock, ids }: DeliveryDeps,
  message: CallbackMessage,
): Promise<Claimed | undefined> {
  if (message.kind === 'first') {
    const { kind: _first, recordedAt: _measured, ...callback } = message;
    return { callback, history: noHistory };
  }
  const lease = { by: ids.uuid(), nowMs: clock.now(), leaseMs: claimMs };
  const row = await callbacks.claim(message, message.version, lease);
  return row && { callback: row, history: historyOf(row), row };
}

async function attempt(deps: DeliveryDeps, { callback, history }: Claimed, work: Work): Promise<Facts> {
  const { partnerId } = callback;
  const admission = await deps.health.admit(partnerId);
  if (admission.kind !== 'admitted') return { ...admission, history };
  const { endpoint, probe } = admission;
  const startedAt = deps.clock.now();
  const result = await deps.client.post(signedRequest(endpoint, callback, startedAt));
  const { httpStatus, durationMs: exchangeMs } = result;
  work.addFields({ attempt: history.tries + 1, probe, httpStatus, exchangeMs });
  if (!result.ok) work.addFields({ error: result.error });
  if (!result.ok && classifyFailure(result.error) === 'ours')
    return { kind: 'not attempted', history, error: result.error };
  deps.speed.learn(partnerId, result);
  const made = { history, attempt: attemptOf(startedAt, result) };
  if (result.ok) return { kind: 'succeeded', ...made };
  const after = await deps.health.failed(admission, result);
  if (after.opened) {
    work.addFields({ circuit: 'opened' });
    await deps.callbacks.stopDrain(partnerId);
  }
  if (after.disabled) work.addMetrics({ EndpointsDisabled: 1 });
  return { kind: 'failed', ...made, retryAfter: result.retryAfter, endpoint: after };
}
