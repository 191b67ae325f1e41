import * as z from 'zod/mini';
import { heldWarning } from './removal-guard.ts';
import { removalsStep, type SyncSession } from './sync-session.ts';

const count = z._default(z.int(), 0);
const SessionRow = z.object({
  received: z.int(),
  startedAt: z.number(),
  added: count,
  updated: count,
  unchanged: count,
  removed: count,
  rejected: count,
  storedBefore: count,
  toRemove: count,
  dryRun: z.boolean(),
  confirmed: z._default(z.boolean(), false),
  removalPercent: z._default(z.int(), 100),
  keptUntil: z.number(),
  pending: z._default(z.set(z.string()), new Set()),
  failedSlices: z._default(z.set(z.string()), new Set()),
  /** Absent until the removals have begun or ended. */
  decision: z.optional(
    z.enum(['remove', 'share', 'failed slices', 'all rejected', 'not done', 'interrupted']),
  ),
  removedUpTo: z.optional(z.string()),
});

/** A session from its row; `undefined` when its time is over. */
export function readSession(item: Record<string, unknown>, nowMs: number): SyncSession | undefined {
  const row = SessionRow.parse(item);
  if (row.keptUntil <= nowMs) return undefined;
  const finished = row.pending.size === 0;
  const { received, added, updated, unchanged, removed, rejected, toRemove, removalPercent } = row;
  const stored = row.storedBefore;
  const because = finished && row.decision !== 'remove' ? row.decision : undefined;
  const held = because ? toRemove - removed : 0;
  const counts = { received, added, updated, unchanged, removed, rejected };
  return {
    startedAt: row.startedAt,
    status: finished ? 'FINISHED' : 'PROCESSING',
    counts: held > 0 ? { ...counts, removalsHeld: held } : counts,
    warnings: because && held > 0 ? [heldWarning(because, { held, stored, removalPercent })] : [],
    dryRun: row.dryRun,
    pending: new Set([...row.pending].filter((step) => step !== removalsStep).map(Number)),
    removalsPending: row.pending.has(removalsStep),
    removals: {
      received,
      rejected,
      stored,
      toRemove,
      failed: row.failedSlices.size,
      confirmed: row.confirmed,
      removalPercent,
      begun: row.decision === 'remove',
      removed,
      removedUpTo: row.removedUpTo,
      failedSlices: new Set([...row.failedSlices].map(Number)),
    },
  };
}
