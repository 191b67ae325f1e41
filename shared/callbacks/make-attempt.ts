import type { Work } from '../runtime/log.ts';
import { attemptOf } from './attempt.ts';
import type { Callback, CallbackRef } from './callback.ts';
import { historyOf, noHistory } from './callback-row.ts';
import type { Claimed } from './carry-out.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import type { Facts } from './outcome.ts';
import { signedRequest } from './signed-request.ts';
import { classifyFailure } from './whose-failure.ts';

/** Longer than a worker lives: the row of a worker that died comes due again, one under attempt does not. */
const claimMs = 90_000;

/** A callback that came with its message, or the row of one, at the version that its message names. */
export type Due = { callback: Callback } | { retry: CallbackRef & { version: number } };

/** `undefined` when another message or worker has already taken the callback further. */
export async function claim({ callbacks, clock, ids }: DeliveryDeps, due: Due): Promise<Claimed | undefined> {
  if ('callback' in due) return { callback: due.callback, history: noHistory };
  const lease = { by: ids.uuid(), nowMs: clock.now(), leaseMs: claimMs };
  const row = await callbacks.claim(due.retry, due.retry.version, lease);
  return row && { callback: row, history: historyOf(row), row };
}

/** Makes the attempt, if the endpoint may be called now, and says in the log line how it went. */
export async function makeAttempt(
  deps: DeliveryDeps,
  { callback, history }: Claimed,
  work: Work,
): Promise<Facts> {
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
  if (result.ok) return { kind: 'succeeded', ...made, probe, log: endpoint.log };
  const after = await deps.health.failed(admission, result);
  if (after.opened) work.addFields({ circuit: 'opened' });
  if (after.disabled) work.addMetrics({ EndpointsDisabled: 1 });
  return { kind: 'failed', ...made, retryAfter: result.retryAfter, endpoint: after };
}
