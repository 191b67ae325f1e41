import { inParallel, type Slots } from '../runtime/in-parallel.ts';
import { startWork, type Work } from '../runtime/log.ts';
import { webhookId } from './callback.ts';
import { carryOut } from './carry-out.ts';
import type { Delivered } from './delivered-log.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { claim, type Due, makeAttempt } from './make-attempt.ts';
import { outcomeOf } from './outcome.ts';

/** Of all messages of a batch together: a partner gets no more at once from each worker. */
export const attemptsAtOnce = 10;
/** One attempt that gets no answer must not hold up the others of its message. */
const fewestAtOnce = 2;

/**
 * An attempt takes 30 s at most and the function 60 s: none starts later than this after the batch arrived, and those
 * that are left travel in another message.
 */
const startsWithinMs = 25_000;

/** The callbacks of one message, due to one partner. */
export type Group = {
  partnerId: string;
  dues: readonly Due[];
  recordedAt?: number | undefined;
  requestId?: string | undefined;
  /** An earlier delivery of the message may have attempted them. */
  mayBeRepeat: boolean;
  /** How many messages are processed at the same time, and the slots that they share. */
  batchSize: number;
  slots: Slots;
};

/** What is not done: `slow` is for the other lane, `left` had no time, `failed` did so by our own fault. */
export type Rest = { slow: Due[]; left: Due[]; failed: { due: Due; error: unknown }[] };

/**
 * Attempts the callbacks of a message side by side: each succeeds or fails alone. A failed attempt has a log line of
 * its own; those that were delivered are named in the line of their message.
 */
export async function attemptGroup(deps: DeliveryDeps, group: Group, work: Work): Promise<Rest> {
  const atOnce = Math.max(fewestAtOnce, Math.floor(attemptsAtOnce / group.batchSize));
  const startsUntil = deps.clock.now() + startsWithinMs;
  const rest: Rest = { slow: [], left: [], failed: [] };
  const isGroup = group.dues.length > 1;
  const delivered: string[] = [];
  const toLog: Delivered[] = [];
  let slowestMs = 0;
  const attempt = async (due: Due): Promise<void> => {
    if (deps.clock.now() > startsUntil) {
      rest.left.push(due);
      return;
    }
    const own = isGroup ? startWork(work.code) : work;
    try {
      const result = await attemptOne(deps, group, { due, work: own });
      if (result === 'slow') rest.slow.push(due);
      if (isDelivered(result) && result.isLogged) toLog.push(result);
      if (!isGroup) return;
      if (result === 'told' || (isDelivered(result) && !result.isUsual)) return own.done('done');
      own.addTo(work);
      if (result === 'slow') return;
      delivered.push(webhookId(refOf(due)));
      slowestMs = Math.max(slowestMs, result.attempt.durationMs);
    } catch (error) {
      rest.failed.push({ due, error });
      if (isGroup) own.failed(error);
    }
  };
  await inParallel(atOnce, group.dues, (due) => group.slots(() => attempt(due)));
  if (toLog.length > 0) await logDelivered(deps, group, { toLog, work });
  if (isGroup) {
    const { requestId } = group;
    work.addFields({ requestId, callbacks: group.dues.length, delivered, exchangeMs: slowestMs });
  }
  return rest;
}

function refOf(due: Due) {
  return 'callback' in due ? due.callback : due.retry;
}

/**
 * Delivered at its first attempt: `isUsual` when nothing else is to be told of it. `told`: everything else, which has a
 * log line of its own.
 */
type Result = (Delivered & { isLogged: boolean; isUsual: boolean }) | 'slow' | 'told';

function isDelivered(result: Result): result is Exclude<Result, string> {
  return typeof result === 'object';
}

/** One write for all of a message. When it fails, the log lacks them: to throw would send them all again. */
async function logDelivered(
  { delivered, clock }: DeliveryDeps,
  { partnerId }: Group,
  { toLog, work }: { toLog: readonly Delivered[]; work: Work },
): Promise<void> {
  try {
    await delivered.add(partnerId, toLog, clock.now());
  } catch (error) {
    work.addFields({ notLogged: error instanceof Error ? error.name : 'unknown' });
  }
}

async function attemptOne(
  deps: DeliveryDeps,
  group: Group,
  { due, work }: { due: Due; work: Work },
): Promise<Result> {
  const { messageId, state } = refOf(due);
  const { partnerId, requestId } = group;
  work.addFields({ partnerId, requestId, messageId, state });
  // An earlier delivery of this message may have written the row and failed to delete the message.
  if ('callback' in due && group.mayBeRepeat && (await deps.callbacks.exists(due.callback))) {
    work.addFields({ result: 'repeat' });
    return 'told';
  }
  measureFirst(deps, group, work);
  if (await isForSlowLane(deps, partnerId)) {
    work.addFields({ result: 'passed on' });
    work.addMetrics({ CallbacksSlow: 1 });
    return 'slow';
  }
  const claimed = await claim(deps, due);
  if (!claimed) {
    work.addFields({ result: 'repeat' });
    return 'told';
  }
  const { callback } = claimed;
  work.addFields({ requestId: callback.requestId, msisdnEnd: String(callback.msisdn).slice(-4) });
  const facts = await makeAttempt(deps, claimed, work);
  const { chance, retrySpeed } = deps;
  const outcome = outcomeOf(facts, { nowMs: deps.clock.now(), chance, retrySpeed });
  const isUsual = await carryOut(deps, claimed, { outcome, work });
  if (facts.kind !== 'succeeded' || claimed.row) return 'told';
  const isLogged = (facts.log ?? deps.logByDefault) === 'all';
  return { callback, attempt: facts.attempt, isLogged, isUsual };
}

/** In the slow lane slow endpoints wait for each other, so what counts is when the fast lane forwarded the callback. */
function measureFirst({ lane, clock }: DeliveryDeps, { recordedAt }: Group, work: Work): void {
  if (recordedAt === undefined || lane.name === 'slow') return;
  // CloudWatch has no percentiles of a metric with negative values, which two clocks could make.
  work.addSample('FirstAttemptSeconds', Math.max(0, clock.now() - recordedAt) / 1_000);
}

/**
 * Whether an attempt would delay the batch. It is forwarded before its row is claimed: the row keeps its version and
 * due time. Probes of an open circuit stay: there is one for each cooldown.
 */
async function isForSlowLane({ lane, speed, health }: DeliveryDeps, partnerId: string): Promise<boolean> {
  return lane.name === 'fast' && (await health.isInService(partnerId)) && speed.isSlow(partnerId);
}
