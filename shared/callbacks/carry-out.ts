import type { Work } from '../runtime/log.ts';
import type { MetricName } from '../runtime/metric-names.ts';
import type { Callback } from './callback.ts';
import type { CallbackRow, History, Progress } from './callback-row.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import type { Outcome } from './outcome.ts';
import { sendDelayed } from './retry-message.ts';

/** A callback that only this worker may attempt now. The first attempt has no row, a retry has claimed its own. */
export type Claimed = { callback: Callback; history: History; row?: CallbackRow };

const metrics = {
  delivered: 'CallbacksDelivered',
  retry: 'CallbacksRetried',
  deferred: 'CallbacksDeferred',
  skipped: 'CallbacksSkipped',
  failed: 'CallbacksSkipped',
} as const satisfies Record<Exclude<Outcome['kind'], 'returned'>, MetricName>;

/**
 * Does what the outcome says, and describes it in the log line. Returns whether that is only one more callback delivered
 * at its first attempt.
 */
export async function carryOut(
  deps: DeliveryDeps,
  claimed: Claimed,
  { outcome, work }: { outcome: Outcome; work: Work },
): Promise<boolean> {
  if (outcome.kind === 'returned') throw new Error(outcome.reason);
  const { kind, progress } = outcome;
  work.addFields({
    result: kind,
    ...('reason' in outcome ? { reason: outcome.reason } : {}),
    ...(kind === 'retry' ? { dueAt: outcome.progress.dueAt } : {}),
  });
  work.addMetrics({ [metrics[kind]]: 1 });
  if (kind === 'delivered') {
    // A first attempt that succeeds leaves no row; those of a message may be logged together.
    if (claimed.row) await save(deps, claimed, progress);
    const closed = await deps.health.succeeded(claimed.callback.partnerId, outcome.success);
    if (closed) work.addFields({ circuit: 'closed' });
    return !claimed.row && !closed;
  }
  const version = await save(deps, claimed, progress);
  if (kind !== 'retry' || version === undefined) return false;
  const { delayMs } = outcome;
  const row = { ref: claimed.callback, version };
  work.addFields({
    delayedMessage: delayMs !== undefined && (await sendDelayed(deps.queue, row, delayMs)),
  });
  return false;
}

/** Returns the new version, or nothing when the row has moved on because a duplicate was faster. */
function save(
  { callbacks, clock }: DeliveryDeps,
  { callback, row }: Claimed,
  progress: Progress,
): Promise<number | undefined> {
  return row
    ? callbacks.advance(row, progress, clock.now())
    : callbacks.create(callback, progress, clock.now());
}
