import type { Work } from '../../platform/logging/log.ts';
import type { MetricName } from '../../platform/logging/metric-names.ts';
import { msisdnEnd } from '../../platform/logging/msisdn-end.ts';
import { endpointFields, ownerOf } from '../alerts-endpoint.ts';
import { Attempt, type Callback, callbackRequest } from '../callback.ts';
import { type CallbackMessage, type DueCallback, sendRowMessage } from '../callback-message.ts';
import { isInTime, type Slot } from '../endpoint/pace.ts';
import { type CallbackRow, type History, noHistory } from '../rows/callback-store.ts';
import { type Decision, decide, type Facts } from './decide.ts';
import type { DeliveryDeps } from './deps.ts';

/** A callback of a queue message. `slot` is present if its endpoint has a pace. */
export type QueuedCallback = { message: CallbackMessage; due: DueCallback; slot?: Slot | undefined };

/** What became of a callback. A message that attempts it again has to name `due`. */
export type DeliveryResult = { due: DueCallback; decision: Decision; facts?: Facts };

/**
 * Delivers a callback, or finds out why not now: claims it, asks whether its endpoint may be called, posts, decides what
 * follows, and saves that. This file is in this order.
 */
export async function deliver(
  deps: DeliveryDeps,
  queued: QueuedCallback,
  work: Work,
): Promise<DeliveryResult> {
  const { message, due } = queued;
  const { partnerId: endpointId, messageId, state, requestId }: Omit<Callback, 'msisdn' | 'changedAt'> = due;
  work.addFields({ ...endpointFields(endpointId), requestId, messageId, state });
  const claimed = await claim(deps, queued);
  if (!claimed) {
    work.addFields({ result: 'repeat' });
    return { due, decision: { kind: 'repeat' } };
  }
  measureWait(deps, message, work);
  const { callback, row } = claimed;
  const { msisdn } = callback;
  work.addFields({ requestId: callback.requestId, msisdnEnd: msisdn && msisdnEnd(msisdn) });
  const facts = await attempt(deps, claimed, work);
  const decision = decide(facts, { ...deps, nowMs: deps.clock.now() });
  await save(deps, claimed, { decision, work });
  // The claim has ended the version that the message named: if it is sent again, it is for the row as it is now.
  return { due: row ?? due, decision, facts };
}

/** Longer than a worker can run, so that a row comes due again only if its worker died, and not during an attempt. */
const claimMs = 90_000;

/** A callback that only this worker may attempt now. A first attempt has no row; a retry has claimed its row. */
export type Claimed = {
  callback: Callback;
  history: History;
  row?: CallbackRow;
  slot?: Slot | undefined;
  waitingSince?: number | undefined;
};

/** Claims a callback; `undefined` when another message or worker has already processed it. */
export async function claim(
  { callbacks, clock, ids }: DeliveryDeps,
  { message, due, slot }: QueuedCallback,
): Promise<Claimed | undefined> {
  if (!('version' in due)) {
    // An earlier delivery of this message may have written the row and failed to delete the message.
    const mayBeRepeat = message.kind === 'first' && message.mayBeRepeat;
    if (mayBeRepeat && (await callbacks.exists(due))) return undefined;
    return { callback: due, history: noHistory, slot, waitingSince: message.waits?.since };
  }
  const by = { by: ids.uuid(), nowMs: clock.now(), forMs: claimMs };
  const row = await callbacks.claim(due, due.version, by);
  if (!row) return undefined;
  const { tries, attempts, createdAt, replayedAt = createdAt } = row;
  return { callback: row, history: { tries, attempts }, row, slot, waitingSince: replayedAt };
}

/**
 * Measures the time until the first attempt, or until the message leaves for the slow lane. Two kinds of waits say
 * nothing about us: in the slow lane endpoints wait for each other, and a callback may wait for the pace of its endpoint.
 */
export function measureWait({ lane, clock }: DeliveryDeps, message: CallbackMessage, work: Work): void {
  const { recordedAt, waits } = message.kind === 'first' ? message : {};
  if (recordedAt === undefined || waits || lane.name === 'slow') return;
  // CloudWatch has no percentiles of a metric with negative values, which two clocks could make.
  work.addSample('FirstAttemptSeconds', Math.max(0, clock.now() - recordedAt) / 1_000);
}

/**
 * Makes the attempt if the endpoint may be called now, and adds the result to the log line. If the endpoint has a pace,
 * the attempt begins in its slot. A probe may be late: no other attempt is made then.
 */
async function attempt(deps: DeliveryDeps, claimed: Claimed, work: Work): Promise<Facts> {
  const { callback, history, slot, waitingSince } = claimed;
  const { partnerId: endpointId } = callback;
  if (slot === 'line full') return { kind: slot, history, waitingSince };
  if (slot !== undefined) await deps.sleepUntil(slot);
  const admission = await deps.health.admit(endpointId);
  if (admission.kind !== 'admitted') return { ...admission, history };
  const { endpoint, probe } = admission;
  if (endpoint.maxPerSecond !== undefined && !probe && !isInTime(slot, deps.clock.now()))
    return { kind: 'not attempted', history };
  const startedAt = deps.clock.now();
  const result = await deps.client.post(callbackRequest(endpoint, callback, startedAt));
  const { httpStatus, durationMs: exchangeMs } = result;
  work.addFields({ attempt: history.tries + 1, probe, httpStatus, exchangeMs });
  if (!result.ok) work.addFields({ error: result.error });
  // Our failures return to the queue, so a message in its dead-letter queue is always our failure. A partner's failures
  // are recorded and scheduled, and the message is deleted.
  if (!result.ok && result.error === 'local')
    return { kind: 'not attempted', history, error: new Error('no attempt could be made: local') };
  deps.responseTimes.learn(endpointId, result);
  const made = { history, attempt: Attempt.parse({ at: startedAt, ...result }) };
  if (result.ok) {
    const after = await deps.health.attemptSucceeded(endpointId, { startedAt, probe });
    work.addFields(after);
    return { kind: 'succeeded', ...made, after, log: endpoint.log };
  }
  const after = await deps.health.attemptFailed({ ...admission, ...result, startedAt });
  work.addFields({ circuit: after.circuit });
  if (after.disabled && !ownerOf(endpointId).isAlerts) work.addMetrics({ EndpointsDisabled: 1 });
  return { kind: 'failed', ...made, retryAfter: result.retryAfter, after };
}

const metrics = {
  delivered: 'CallbacksDelivered',
  retry: 'CallbacksRetried',
  deferred: 'CallbacksDeferred',
  skipped: 'CallbacksSkipped',
  failed: 'CallbacksSkipped',
} as const satisfies Partial<Record<Decision['kind'], MetricName>>;

/** Writes the row for the decision, sends the delayed message, and adds both to the log line. */
async function save(
  { callbacks, failedCallbacks, queue, clock }: DeliveryDeps,
  { callback, row }: Claimed,
  { decision, work }: { decision: Decision; work: Work },
): Promise<void> {
  if (!('progress' in decision)) return;
  const { kind, progress } = decision;
  work.addFields({ result: kind, reason: 'reason' in decision ? decision.reason : undefined });
  if (kind === 'retry') work.addFields({ dueAt: decision.progress.dueAt });
  work.addMetrics({ [metrics[kind]]: 1 });
  // A first attempt that succeeds leaves no row.
  if (kind === 'delivered' && !row) return;
  const { partnerId, isAlerts } = ownerOf(callback.partnerId);
  // Counted before the row changes: if the worker dies in between, the partner is told of one too many, and not of none.
  if (kind === 'failed' && !isAlerts) await failedCallbacks.count(partnerId, clock.now());
  // The version is undefined when a duplicate was faster and has changed the row.
  const version = row
    ? await callbacks.advance(row, progress, clock.now())
    : await callbacks.create(callback, progress, clock.now());
  if (kind !== 'retry' || version === undefined || decision.delayMs === undefined) return;
  // The delayed message is a shortcut: if it is lost, SweepDue sends the row within a minute after it is due.
  const sent = sendRowMessage(queue, { ...callback, version }, decision.delayMs);
  work.addFields({ delayedMessage: await sent.then(() => 'sent').catch(() => 'not taken') });
}
