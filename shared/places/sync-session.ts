import * as z from 'zod/mini';
import { described, named } from '../platform/validation/documented.ts';
import { Remark } from './remarks.ts';

export const SyncStatus = z.enum(['PROCESSING', 'FINISHED']).register(z.globalRegistry, { id: 'SyncStatus' });

export const SyncCounts = named(
  'SyncCounts',
  {
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
  },
  'What the session does, in service points: 0 until the list has been compared with what is stored, and final from then on.',
);
export type SyncCounts = z.infer<typeof SyncCounts>;

const SessionRow = z.object({
  sk: z.string(),
  received: z.int(),
  dryRun: z.boolean(),
  startedAt: z.number(),
  keptUntil: z.number(),
  status: z.enum(['PROCESSING', 'FINISHED', 'FAILED']),
  counts: z.optional(SyncCounts),
  warnings: z._default(z.array(z.string()), []),
  remarks: z._default(z.array(Remark), []),
  /** Of the rejected elements those that are stored, because they fit into a response: how many, and in how many rows. */
  shown: z._default(z.object({ count: z.int(), rows: z.int() }), { count: 0, rows: 0 }),
});

/** A session from its row; `undefined` when its time is over. */
export function readSession(item: Record<string, unknown>, nowMs: number) {
  const row = SessionRow.parse(item);
  if (row.keptUntil <= nowMs) return undefined;
  const { sk: sessionId, received, startedAt, dryRun, shown } = row;
  const status: z.infer<typeof SyncStatus> = row.status === 'PROCESSING' ? 'PROCESSING' : 'FINISHED';
  // The list could not be processed, and its partner must send it again.
  const failed = row.status === 'FAILED';
  const none = { received, added: 0, updated: 0, unchanged: 0, removed: 0, rejected: 0 };
  const { counts = none, warnings, remarks } = row;
  return {
    sessionId,
    startedAt,
    status,
    failed,
    // It is unknown how much of a failed list was applied. Warnings say why points are left that the list does not name.
    ...(failed ? { counts: none, warnings: [], remarks: [] } : { counts, warnings, remarks }),
    dryRun,
    shown,
  };
}
