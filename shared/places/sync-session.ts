import * as z from 'zod/mini';
import type { MetricValues } from '../runtime/log.ts';
import { described } from '../validation/documented.ts';
import type { RemovalFacts } from './removal-guard.ts';

export const SyncStatus = z.enum(['PROCESSING', 'FINISHED']).register(z.globalRegistry, { id: 'SyncStatus' });

/** The last member of `pending`, beside the numbers of slices. */
export const removalsStep = 'removals';

export const SyncCounts = z
  .object({
    received: z.int(),
    added: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    removed: z.int(),
    rejected: z.int(),
    removalsHeld: described(
      z.optional(z.int()),
      'How many points were left in place though the list does not name them: see `warnings`. Absent when none was',
    ),
  })
  .register(z.globalRegistry, {
    id: 'SyncCounts',
    description: 'What the session did, in service points; the numbers grow while it is processed.',
  });
export type SyncCounts = z.infer<typeof SyncCounts>;

export type SyncSession = {
  startedAt: number;
  status: z.infer<typeof SyncStatus>;
  counts: SyncCounts;
  /** Why points are left that the list does not name. */
  warnings: string[];
  dryRun: boolean;
  /** Slices still to be processed. */
  pending: ReadonlySet<number>;
  /** The last step, removals, is still to come. */
  removalsPending: boolean;
  removals: RemovalFacts & RemovalProgress;
};

type RemovalProgress = {
  /** A removal has begun, and may be repeated. */
  begun: boolean;
  /** Points removed so far, and the plan up to which they are. */
  removed: number;
  removedUpTo?: string | undefined;
  /** Their points stay. */
  failedSlices: ReadonlySet<number>;
};

/** What the end of a step adds to the metrics: only the last one ends its session. */
export function sessionMetrics(finished: { startedAt: number } | undefined, nowMs: number): MetricValues {
  return finished ? { SessionsFinished: 1, SessionSeconds: (nowMs - finished.startedAt) / 1_000 } : {};
}
