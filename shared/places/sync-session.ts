import * as z from 'zod/mini';
import type { MetricValues } from '../runtime/log.ts';

export const SyncCounts = z
  .object({
    received: z.int(),
    added: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    removed: z.int(),
    rejected: z.int(),
  })
  .register(z.globalRegistry, {
    id: 'SyncCounts',
    description: 'What the session did, in service points; the numbers grow while it is processed.',
  });
export type SyncCounts = z.infer<typeof SyncCounts>;

export type SyncSession = {
  status: 'PROCESSING' | 'FINISHED';
  counts: SyncCounts;
  dryRun: boolean;
  /** Slices still to be processed. */
  pending: ReadonlySet<number>;
};

/** What the end of a slice adds to the metrics: only the last one ends its session. */
export function sessionMetrics(finished: { startedAt: number } | undefined, nowMs: number): MetricValues {
  return finished ? { SessionsFinished: 1, SessionSeconds: (nowMs - finished.startedAt) / 1_000 } : {};
}
