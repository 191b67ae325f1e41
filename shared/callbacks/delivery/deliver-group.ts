import { startWork, type Work } from '../../platform/logging/log.ts';
import { inParallel, type Limiter } from '../../platform/runtime/in-parallel.ts';
import { webhookId } from '../callback.ts';
import type { CallbackMessage, DueCallback } from '../callback-message.ts';
import type { Facts } from './decide.ts';
import { deliver, type Ended } from './deliver.ts';
import type { DeliveryDeps } from './deps.ts';

/** Maximum concurrent attempts of a worker, across the messages of a batch. */
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
export async function slowQueueOf({ lane, speed, health }: DeliveryDeps, partnerId: string) {
  if (lane.name === 'slow' || !speed.isSlow(partnerId)) return undefined;
  return (await health.isInService(partnerId)) ? lane.slowQueue : undefined;
}

type Group = {
  message: CallbackMessage;
  dueCallbacks: readonly DueCallback[];
  /** When each may be attempted, if the endpoint has a pace. */
  slots: readonly number[] | undefined;
  batch: Batch;
};

/**
 * Delivers the callbacks of a message in parallel, and returns the outcome of each. If the message has several
 * callbacks, its log line names those that were delivered, and each of the others has a log line of its own.
 */
export async function deliverGroup(deps: DeliveryDeps, group: Group, work: Work): Promise<Ended[]> {
  const { message, dueCallbacks, slots, batch } = group;
  const startsUntil = deps.clock.now() + startsWithinMs;
  const isGroup = dueCallbacks.length > 1;
  const ended: Ended[] = [];
  const attempt = async (due: DueCallback, slot?: number): Promise<void> => {
    const isTooLate = deps.clock.now() > startsUntil;
    if (isTooLate || (await slowQueueOf(deps, message.partnerId)))
      return void ended.push({ due, outcome: { kind: 'left' } });
    const own = isGroup ? startWork(work.code) : work;
    const one = await deliver(deps, { message, due, slot }, own).catch(
      (error: unknown): Ended => ({ due, outcome: { kind: 'left', error } }),
    );
    ended.push(one);
    if (!isGroup) return;
    const { outcome } = one;
    if (outcome.kind === 'left' && outcome.error) own.failed(outcome.error);
    else if (outcome.kind === 'left' || isUsual(one)) own.addTo(work);
    else own.done('done');
  };
  const atOnce = Math.max(fewestAtOnce, Math.floor(attemptsAtOnce / batch.size));
  // The pace limits the attempts under way. Those that sleep until their slot must not hold up others.
  if (slots) await Promise.all(dueCallbacks.map((due, n) => attempt(due, slots[n])));
  else await inParallel(atOnce, dueCallbacks, (due) => batch.limiter(() => attempt(due)));
  await logDelivered(deps, { partnerId: message.partnerId, ended, work });
  if (!isGroup) return ended;
  const usual = ended.filter(isUsual);
  work.addFields({
    callbacks: dueCallbacks.length,
    delivered: usual.map(({ due }) => webhookId(due.callback)),
    exchangeMs: Math.max(0, ...usual.map(({ facts }) => facts.attempt.durationMs)),
  });
  return ended;
}

type DeliveredAtOnce = {
  due: Extract<DueCallback, { callback: object }>;
  facts: Extract<Facts, { kind: 'succeeded' }>;
};

/** Whether the first attempt delivered it. */
function isAtOnce(ended: Ended): ended is Ended & DeliveredAtOnce {
  return ended.facts?.kind === 'succeeded' && 'callback' in ended.due;
}

/** Whether the first attempt delivered it and did not change the circuit, so that it needs no log line of its own. */
function isUsual(ended: Ended): ended is Ended & DeliveredAtOnce {
  return isAtOnce(ended) && ended.facts.endpoint.circuit === undefined;
}

/** Adds the delivered callbacks to the log. A failure is a field of the log line: an exception would send them again. */
async function logDelivered(
  { delivered, clock, logByDefault }: DeliveryDeps,
  { partnerId, ended, work }: { partnerId: string; ended: readonly Ended[]; work: Work },
): Promise<void> {
  const toLog = ended
    .filter(isAtOnce)
    .filter(({ facts }) => (facts.log ?? logByDefault) === 'all')
    .map(({ due, facts }) => ({ callback: due.callback, attempt: facts.attempt }));
  if (toLog.length === 0) return;
  try {
    await delivered.add(partnerId, toLog, clock.now());
  } catch (error) {
    work.addFields({ notLogged: error instanceof Error ? error.name : 'unknown' });
  }
}
