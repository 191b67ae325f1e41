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
/** One attempt that gets no answer must not hold up the others of its message. */
const fewestAtOnce = 2;

/** An attempt takes 30 s at most and the function 60 s: none starts later, and the others travel in another message. */
const startsWithinMs = 25_000;

/** The callbacks of one message, due to one partner. */
type Group = {
  partnerId: string;
  dues: readonly DueCallback[];
  recordedAt?: number | undefined;
  requestId?: string | undefined;
  /** An earlier delivery of the message may have attempted them. */
  mayBeRepeat: boolean;
  /** How many messages are processed at the same time, and the slots that they share. */
  batchSize: number;
  slots: Slots;
};

type Ended = { due: DueCallback; outcome: Outcome };

/**
 * Attempts the callbacks of a message side by side, and returns how it ended for each. The log line of a message of many
 * names those that were delivered; the others have lines of their own.
 */
export async function attemptGroup(deps: DeliveryDeps, group: Group, work: Work): Promise<Ended[]> {
  const { dues, requestId, batchSize, slots } = group;
  const startsUntil = deps.clock.now() + startsWithinMs;
  const isGroup = dues.length > 1;
  const ended: Ended[] = [];
  const attempt = async (due: DueCallback): Promise<void> => {
    if (deps.clock.now() > startsUntil) return void ended.push({ due, outcome: { kind: 'left' } });
    const own = isGroup ? startWork(work.code) : work;
    const outcome = await attemptOne(deps, group, { due, work: own }).catch(
      (error: unknown): Outcome => ({ kind: 'left', error }),
    );
    ended.push({ due, outcome });
    if (!isGroup) return;
    if (outcome.kind === 'left') own.failed(outcome.error);
    else if (outcome.kind === 'passed on' || isUsual({ due, outcome })) own.addTo(work);
    else own.done('done');
  };
  const atOnce = Math.max(fewestAtOnce, Math.floor(attemptsAtOnce / batchSize));
  await inParallel(atOnce, dues, (due) => slots(() => attempt(due)));
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

/** Delivered at its first attempt. */
function isAtOnce(ended: Ended): ended is Delivered {
  return ended.outcome.kind === 'delivered' && 'callback' in ended.due;
}

/** Delivered at its first attempt, and nothing else is to be told of it. */
function isUsual(ended: Ended): ended is Delivered {
  return isAtOnce(ended) && ended.outcome.endpoint.circuit === undefined;
}

/** One write for all of a message. When it fails, the log lacks them: to throw would send them all again. */
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
  { due, work }: { due: DueCallback; work: Work },
): Promise<Outcome> {
  const { messageId, state } = 'callback' in due ? due.callback : due.retry;
  const { partnerId, requestId } = group;
  const ended = (result: 'repeat' | 'passed on'): Outcome => {
    work.addFields({ result });
    return { kind: result };
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
  const { callback } = claimed;
  work.addFields({ requestId: callback.requestId, msisdnEnd: String(callback.msisdn).slice(-4) });
  const facts = await makeAttempt(deps, claimed, work);
  const outcome = outcomeOf(facts, { ...deps, nowMs: deps.clock.now() });
  await executeOutcome(deps, claimed, { outcome, work });
  return outcome;
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
