import type { Work } from '../../platform/logging/log.ts';
import type { MetricName } from '../../platform/logging/metric-names.ts';
import { retryMessage } from '../callback-message.ts';
import type { DeliveryDeps } from './deps.ts';
import { forward } from './forward.ts';
import type { Claimed } from './make-attempt.ts';
import type { Outcome } from './outcome.ts';

const metrics = {
  delivered: 'CallbacksDelivered',
  retry: 'CallbacksRetried',
  deferred: 'CallbacksDeferred',
  skipped: 'CallbacksSkipped',
  failed: 'CallbacksSkipped',
} as const satisfies Partial<Record<Outcome['kind'], MetricName>>;

/** Writes the row for the outcome, sends the delayed message, and adds both to the log line. */
export async function executeOutcome(
  { callbacks, queue, clock }: DeliveryDeps,
  { callback, row }: Claimed,
  { outcome, work }: { outcome: Outcome; work: Work },
): Promise<void> {
  if (!('progress' in outcome)) return;
  const { kind, progress } = outcome;
  work.addFields({ result: kind, reason: 'reason' in outcome ? outcome.reason : undefined });
  if (kind === 'retry') work.addFields({ dueAt: outcome.progress.dueAt });
  work.addMetrics({ [metrics[kind]]: 1 });
  // A first attempt that succeeds leaves no row.
  if (kind === 'delivered' && !row) return;
  // The version is undefined when a duplicate was faster and has changed the row.
  const version = row
    ? await callbacks.advance(row, progress, clock.now())
    : await callbacks.create(callback, progress, clock.now());
  if (kind !== 'retry' || version === undefined || outcome.delayMs === undefined) return;
  const { partnerId } = callback;
  // SQS counts whole seconds: rounded up, so that it does not arrive early.
  const delaySeconds = outcome.delayMs < 1_000 ? 0 : Math.ceil(outcome.delayMs / 1_000);
  // The delayed message is a shortcut: if it is lost, ResumeCallbacks sends the row within a minute after it is due.
  const sent = forward(queue, { partnerId, body: retryMessage(callback, version), delaySeconds });
  work.addFields({ delayedMessage: await sent.then(() => 'sent').catch(() => 'not taken') });
}
