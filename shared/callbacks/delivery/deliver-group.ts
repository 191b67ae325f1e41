import { errorName } from '../../platform/logging/error-name.ts';
import { startWork, type Work } from '../../platform/logging/log.ts';
import { inParallel, type Limiter } from '../../platform/runtime/in-parallel.ts';
import { type Callback, webhookId } from '../callback.ts';
import type { CallbackMessage, DueCallback } from '../callback-message.ts';
import type { Slot } from '../endpoint/pace.ts';
import { logKeptMs } from '../feed/delivered-log.ts';
import type { Facts } from './decide.ts';
import { type DeliveryResult, deliver } from './deliver.ts';
import type { DeliveryDeps } from './deps.ts';

/** Maximum concurrent attempts of a worker, across the messages of a batch. Attempts with a slot start in their slots. */
export const attemptsAtOnce = 10;
/** At least two attempts of a message run at once, so that one without a response does not delay all others. */
const fewestAtOnce = 2;
/** No attempt starts later than this: it may take 30 s of the function's 60 s. The other callbacks are queued again. */
const startsWithinMs = 25_000;

/** The number of messages that were received together, and the limiter of attempts that they share. */
export type Batch = { size: number; limiter: Limiter };

/**
 * The queue of the slow lane, if attempts would delay the fast lane's batch. While the endpoint gets none but probes it
 * stays in the fast lane.
 */
export async function slowQueueOf({ lane, responseTimes, health }: DeliveryDeps, endpointId: string) {
  if (lane.name === 'slow' || !responseTimes.isSlow(endpointId)) return undefined;
  return (await health.takesAttempts(endpointId)) ? lane.slowQueue : undefined;
}

type Group = {
  message: CallbackMessage;
  dueCallbacks: readonly DueCallback[];
  /** When each may be attempted, if the endpoint has a pace. */
  slots: readonly Slot[] | undefined;
  batch: Batch;
};

/**
 * Delivers the callbacks of a message in parallel, and returns the decision of each. If the message has several
 * callbacks, its log line names those that were delivered, and each of the others has a log line of its own.
 */
export async function deliverGroup(deps: DeliveryDeps, group: Group, work: Work): Promise<DeliveryResult[]> {
  const { message, dueCallbacks, slots, batch } = group;
  const { partnerId: endpointId } = message;
  const startsUntil = deps.clock.now() + startsWithinMs;
  const isGroup = dueCallbacks.length > 1;
  const results: DeliveryResult[] = [];
  const deliverOne = async (due: DueCallback, slot?: Slot): Promise<void> => {
    const isTooLate = deps.clock.now() > startsUntil;
    if (isTooLate || (await slowQueueOf(deps, endpointId))) {
      results.push({ due, decision: { kind: 'left' } });
      return;
    }
    const ownWork = isGroup ? startWork(work.code) : work;
    const result = await deliver(deps, { message, due, slot }, ownWork).catch(
      (error: unknown): DeliveryResult => ({ due, decision: { kind: 'left', error } }),
    );
    results.push(result);
    if (!isGroup) return;
    const { decision } = result;
    if (decision.kind === 'left' && decision.error) ownWork.failed(decision.error);
    else if (decision.kind === 'left' || needsNoOwnWork(result)) ownWork.addTo(work);
    else ownWork.done('done');
  };
  const lineFull = slots?.includes('line full') ? 'line full' : undefined;
  if (lineFull) await deps.health.keepDraining(endpointId);
  const atOnce = Math.max(fewestAtOnce, Math.floor(attemptsAtOnce / batch.size));
  // The pace limits the attempts under way. Those that sleep until their slot must not hold up others.
  if (slots && !lineFull) await Promise.all(dueCallbacks.map((due, n) => deliverOne(due, slots[n])));
  else await inParallel(atOnce, dueCallbacks, (due) => batch.limiter(() => deliverOne(due, lineFull)));
  await logDelivered(deps, { endpointId, results, work });
  if (!isGroup) return results;
  const named = results.filter(needsNoOwnWork);
  work.addFields({
    callbacks: dueCallbacks.length,
    delivered: named.map(({ due }) => webhookId(due)),
    exchangeMs: Math.max(0, ...named.map(({ facts }) => facts.attempt.durationMs)),
  });
  return results;
}

type FirstAttemptDelivered = {
  due: Callback;
  facts: Extract<Facts, { kind: 'succeeded' }>;
};

function didFirstAttemptDeliver(result: DeliveryResult): result is DeliveryResult & FirstAttemptDelivered {
  return result.facts?.kind === 'succeeded' && !('version' in result.due);
}

/** True if the log line of the message says enough: the first attempt delivered it, and did not change the circuit. */
function needsNoOwnWork(result: DeliveryResult): result is DeliveryResult & FirstAttemptDelivered {
  return didFirstAttemptDeliver(result) && result.facts.after.circuit === undefined;
}

/** Adds to the log what first attempts delivered. A failure is a field of the log line: an exception would send them again. */
async function logDelivered(
  { delivered, logByDefault }: DeliveryDeps,
  { endpointId, results, work }: { endpointId: string; results: readonly DeliveryResult[]; work: Work },
): Promise<void> {
  const toLog = results
    .filter(didFirstAttemptDeliver)
    .filter(({ facts }) => (facts.log ?? logByDefault) === 'all')
    .map(({ due, facts }) => ({ callback: due, attempt: facts.attempt }));
  if (toLog.length === 0) return;
  try {
    await delivered.add(endpointId, toLog, { keptMs: logKeptMs });
  } catch (error) {
    work.addFields({ notLogged: errorName(error) });
  }
}
