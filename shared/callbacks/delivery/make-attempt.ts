import type { Work } from '../../platform/logging/log.ts';
import { Attempt, classifyFailure } from '../attempt.ts';
import { type Callback, callbackRequest } from '../callback.ts';
import type { DueCallback } from '../callback-message.ts';
import { type CallbackRow, type History, noHistory } from '../retries/row.ts';
import type { DeliveryDeps } from './deps.ts';
import type { Facts } from './outcome.ts';

/** Longer than a worker lives: the row of a worker that died comes due again, one under attempt does not. */
const claimMs = 90_000;

/** A callback that only this worker may attempt now. The first attempt has no row, a retry has claimed its own. */
export type Claimed = { callback: Callback; history: History; row?: CallbackRow };

/** `undefined` when another message or worker has already taken the callback further. */
export async function claim(
  { callbacks, clock, ids }: DeliveryDeps,
  due: DueCallback,
): Promise<Claimed | undefined> {
  if ('callback' in due) return { callback: due.callback, history: noHistory };
  const lease = { by: ids.uuid(), nowMs: clock.now(), leaseMs: claimMs };
  const row = await callbacks.claim(due.retry, due.retry.version, lease);
  return row && { callback: row, history: { tries: row.tries, attempts: row.attempts }, row };
}

/** Makes the attempt, if the endpoint may be called now, and says in the log line how it went. */
export async function makeAttempt(
  deps: DeliveryDeps,
  { callback, history }: Claimed,
  work: Work,
): Promise<Facts> {
  const admission = await deps.health.admit(callback.partnerId);
  if (admission.kind !== 'admitted') return { ...admission, history };
  const { endpoint, probe } = admission;
  const startedAt = deps.clock.now();
  const result = await deps.client.post(callbackRequest(endpoint, callback, startedAt));
  const { httpStatus, durationMs: exchangeMs } = result;
  work.addFields({ attempt: history.tries + 1, probe, httpStatus, exchangeMs });
  if (!result.ok) work.addFields({ error: result.error });
  if (!result.ok && classifyFailure(result.error) === 'ours')
    return { kind: 'not attempted', history, error: result.error };
  deps.speed.learn(callback.partnerId, result);
  const made = { history, attempt: Attempt.parse({ at: startedAt, ...result }) };
  if (result.ok) {
    const after = await deps.health.succeeded(callback.partnerId, { startedAt, probe });
    work.addFields(after);
    return { kind: 'succeeded', ...made, endpoint: after, log: endpoint.log };
  }
  const after = await deps.health.failed(admission, result);
  work.addFields({ circuit: after.circuit });
  if (after.disabled) work.addMetrics({ EndpointsDisabled: 1 });
  return { kind: 'failed', ...made, retryAfter: result.retryAfter, endpoint: after };
}
