import { startWork, type Work } from '../../platform/logging/log.ts';
import { inParallel, type Slots } from '../../platform/runtime/in-parallel.ts';
import { type Callback, webhookId } from '../callback.ts';
import type { CallbackMessage, DueCallback } from '../callback-message.ts';
import type { DeliveryDeps } from './deps.ts';
import { claim, executeOutcome, makeAttempt } from './make-attempt.ts';
import { type Outcome, outcomeOf } from './outcome.ts';

/** Maximum concurrent attempts of a worker, across the messages of a batch. */
export const attemptsAtOnce = 10;
/** At least two attempts of a message run at once, so that one without a response does not delay all others. */
const fewestAtOnce = 2;

/** No attempt starts later than this: it may take 30 s of the function's 60 s. The other callbacks are queued again. */
const startsWithinMs = 25_000;

export type Group = {
  message: CallbackMessage;
  dues: readonly DueCallback[];
  /** When each may be attempted, if the endpoint has a pace. */
  turns?: readonly number[] | undefined;
  /** The number of messages in the batch. They share the slots for attempts. */
  batchSize: number;
  slots: Slots;
};

/** A message that attempts the callback again has to name `due`. */
type Ended = { due: DueCallback; outcome: Outcome };

/**
 * Attempts the callbacks of a message in parallel, and returns the outcome of each. If the message has several
 * callbacks, its log line names those that were delivered, and each of the others has a log line of its own.
 */
export async function attemptGroup(deps: DeliveryDeps, group: Group, work: Work): Promise<Ended[]> {
  const { message, dues, batchSize, slots, turns } = group;
  const startsUntil = deps.clock.now() + startsWithinMs;
  const isGroup = dues.length > 1;
  const ended: Ended[] = [];
  const attempt = async (due: DueCallback, slot?: number): Promise<void> => {
    if (deps.clock.now() > startsUntil) return void ended.push({ due, outcome: { kind: 'left' } });
    const own = isGroup ? startWork(work.code) : work;
    const one = await attemptOne(deps, message, { due, slot, work: own }).catch(
      (error: unknown): Ended => ({ due, outcome: { kind: 'left', error } }),
    );
    ended.push(one);
    if (!isGroup) return;
    const { outcome } = one;
    if (outcome.kind === 'left' && outcome.error) own.failed(outcome.error);
    else if (outcome.kind === 'left' || outcome.kind === 'passed on' || isUsual(one)) own.addTo(work);
    else own.done('done');
  };
  const atOnce = Math.max(fewestAtOnce, Math.floor(attemptsAtOnce / batchSize));
  // The pace limits the attempts under way. Those that sleep until their turn must not occupy slots.
  if (turns) await Promise.all(dues.map((due, n) => attempt(due, turns[n])));
  else await inParallel(atOnce, dues, (due) => slots(() => attempt(due)));
  await logDelivered(deps, { partnerId: message.partnerId, ended, work });
  if (!isGroup) return ended;
  const usual = ended.filter(isUsual);
  work.addFields({
    requestId: message.kind === 'first' ? message.requestId : undefined,
    callbacks: dues.length,
    delivered: usual.map(({ due }) => webhookId(due.callback)),
    exchangeMs: Math.max(0, ...usual.map(({ outcome }) => outcome.attempt.durationMs)),
  });
  return ended;
}

type Delivered = {
  due: Extract<DueCallback, { callback: object }>;
  outcome: Extract<Outcome, { kind: 'delivered' }>;
};

/** Whether the first attempt delivered it. */
function isAtOnce(ended: Ended): ended is Delivered {
  return ended.outcome.kind === 'delivered' && 'callback' in ended.due;
}

/** Whether the first attempt delivered it and did not change the circuit, so that it needs no log line of its own. */
function isUsual(ended: Ended): ended is Delivered {
  return isAtOnce(ended) && ended.outcome.endpoint.circuit === undefined;
}

/** Adds the delivered callbacks to the log. A failure is a field of the log line: an exception would send them again. */
async function logDelivered(
  { delivered, clock, logByDefault }: DeliveryDeps,
  { partnerId, ended, work }: { partnerId: string; ended: readonly Ended[]; work: Work },
): Promise<void> {
  const toLog = ended
    .filter(isAtOnce)
    .filter(({ outcome }) => (outcome.log ?? logByDefault) === 'all')
    .map(({ due, outcome }) => ({ callback: due.callback, attempt: outcome.attempt }));
  if (toLog.length === 0) return;
  try {
    await delivered.add(partnerId, toLog, clock.now());
  } catch (error) {
    work.addFields({ notLogged: error instanceof Error ? error.name : 'unknown' });
  }
}

async function attemptOne(
  deps: DeliveryDeps,
  message: CallbackMessage,
  { due, slot, work }: { due: DueCallback; slot: number | undefined; work: Work },
): Promise<Ended> {
  const named: Omit<Callback, 'msisdn' | 'changedAt'> = 'callback' in due ? due.callback : due.retry;
  const { partnerId, messageId, state, requestId } = named;
  const ended = (result: 'repeat' | 'passed on'): Ended => {
    work.addFields({ result });
    return { due, outcome: { kind: result } };
  };
  work.addFields({ partnerId, requestId, messageId, state });
  // An earlier delivery of this message may have written the row and failed to delete the message.
  const mayBeRepeat = message.kind === 'first' && message.mayBeRepeat;
  if ('callback' in due && mayBeRepeat && (await deps.callbacks.exists(due.callback))) return ended('repeat');
  measureFirst(deps, message, work);
  if (await isForSlowLane(deps, partnerId)) {
    work.addMetrics({ CallbacksSlow: 1 });
    return ended('passed on');
  }
  const claimed = await claim(deps, due);
  if (!claimed) return ended('repeat');
  const { callback, row } = claimed;
  work.addFields({ requestId: callback.requestId, msisdnEnd: String(callback.msisdn).slice(-4) });
  const facts = await makeAttempt(deps, { ...claimed, slot }, work);
  const outcome = outcomeOf(facts, { ...deps, nowMs: deps.clock.now() });
  await executeOutcome(deps, claimed, { outcome, work });
  // The claim has ended the version that the message named: if it is sent on, it is for the row as it is now.
  return { due: row ? { retry: row } : due, outcome };
}

/**
 * Measures the time until the first attempt. Two kinds of waits say nothing about us: in the slow lane endpoints wait for
 * each other, and a callback may wait for the pace of its endpoint.
 */
function measureFirst({ lane, clock }: DeliveryDeps, message: CallbackMessage, work: Work): void {
  const { recordedAt, waits } = message.kind === 'first' ? message : {};
  if (recordedAt === undefined || waits || lane.name === 'slow') return;
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
