import { startWork, type Work } from '../../platform/logging/log.ts';
import { inParallel, type Slots } from '../../platform/runtime/in-parallel.ts';
import { webhookId } from '../callback.ts';
import type { DueCallback } from '../callback-message.ts';
import type { DeliveryDeps } from './deps.ts';
import { executeOutcome } from './execute-outcome.ts';
import { claim, makeAttempt } from './make-attempt.ts';
import { type Outcome, outcomeOf } from './outcome.ts';

/** Maximum concurrent attempts of a worker, across the messages of a batch. */
export const attemptsAtOnce = 10;
/** At least two attempts of a message run at once, so that one without a response does not delay all others. */
const fewestAtOnce = 2;

/** No attempt starts later than this: it may take 30 s of the function's 60 s. The rest is queued again. */
const startsWithinMs = 25_000;

/** The callbacks of one message, due to one partner. */
type Group = {
  partnerId: string;
  dues: readonly DueCallback[];
  recordedAt?: number | undefined;
  requestId?: string | undefined;
  /** Of an endpoint that has a pace: when each may be attempted. */
  turns?: readonly number[] | undefined;
  /** An earlier delivery of the message may have attempted them. */
  mayBeRepeat: boolean;
  /** The number of messages in the batch. They share the slots for attempts. */
  batchSize: number;
  slots: Slots;
};

/** `due` is what a message has to name that attempts it again. */
type Ended = { due: DueCallback; outcome: Outcome };

/**
 * Attempts the callbacks of a message in parallel, and returns the outcome of each. If the message has several
 * callbacks, its log line names those that were delivered, and each of the others has a log line of its own.
 */
export async function attemptGroup(deps: DeliveryDeps, group: Group, work: Work): Promise<Ended[]> {
  const { dues, requestId, batchSize, slots, turns } = group;
  const startsUntil = deps.clock.now() + startsWithinMs;
  const isGroup = dues.length > 1;
  const ended: Ended[] = [];
  const attempt = async (due: DueCallback, slot?: number): Promise<void> => {
    if (deps.clock.now() > startsUntil) return void ended.push({ due, outcome: { kind: 'left' } });
    const own = isGroup ? startWork(work.code) : work;
    const one = await attemptOne(deps, group, { due, slot, work: own }).catch(
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
  // The pace says how many are under way. They sleep until their turn, and take nobody's slot meanwhile.
  if (turns) await Promise.all(dues.map((due, n) => attempt(due, turns[n])));
  else await inParallel(atOnce, dues, (due) => slots(() => attempt(due)));
  await logDelivered(deps, { group, ended, work });
  if (!isGroup) return ended;
  const usual = ended.filter(isUsual);
  work.addFields({
    requestId,
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

/** Adds the delivered callbacks to the log. A failure is only noted: an exception would send them all again. */
async function logDelivered(
  { delivered, clock, logByDefault }: DeliveryDeps,
  { group, ended, work }: { group: Group; ended: readonly Ended[]; work: Work },
): Promise<void> {
  const toLog = ended
    .filter(isAtOnce)
    .filter(({ outcome }) => (outcome.log ?? logByDefault) === 'all')
    .map(({ due, outcome }) => ({ callback: due.callback, attempt: outcome.attempt }));
  if (toLog.length === 0) return;
  try {
    await delivered.add(group.partnerId, toLog, clock.now());
  } catch (error) {
    work.addFields({ notLogged: error instanceof Error ? error.name : 'unknown' });
  }
}

async function attemptOne(
  deps: DeliveryDeps,
  group: Group,
  { due, slot, work }: { due: DueCallback; slot: number | undefined; work: Work },
): Promise<Ended> {
  const { messageId, state } = 'callback' in due ? due.callback : due.retry;
  const { partnerId, requestId } = group;
  const ended = (result: 'repeat' | 'passed on'): Ended => {
    work.addFields({ result });
    return { due, outcome: { kind: result } };
  };
  work.addFields({ partnerId, requestId, messageId, state });
  // An earlier delivery of this message may have written the row and failed to delete the message.
  if ('callback' in due && group.mayBeRepeat && (await deps.callbacks.exists(due.callback)))
    return ended('repeat');
  measureFirst(deps, group, work);
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

/** Measures the time until the first attempt. The slow lane is left out: there endpoints wait for each other. */
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
