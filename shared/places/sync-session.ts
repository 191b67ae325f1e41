import * as z from 'zod';
import type { Measures } from '../runtime/log.ts';

export const SyncCounts = z
  .object({
    received: z.number().int(),
    added: z.number().int(),
    updated: z.number().int(),
    unchanged: z.number().int(),
    removed: z.number().int(),
    rejected: z.number().int(),
  })
  .meta({
    id: 'SyncCounts',
    description: 'What the session did, in service points; they grow while it is processed.',
  });
export type SyncCounts = z.infer<typeof SyncCounts>;

export type SyncSession = {
  status: 'PROCESSING' | 'FINISHED';
  counts: SyncCounts;
  dryRun: boolean;
  /** Slices still to be worked off. */
  pending: ReadonlySet<number>;
};

/** What the end of a slice adds to the metrics: only the last one ends its session. */
export const measuresOf = (finished: { startedAt: number } | undefined, nowMs: number): Measures =>
  finished ? { SessionsFinished: 1, SessionSeconds: (nowMs - finished.startedAt) / 1_000 } : {};
