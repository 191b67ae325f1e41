import * as z from 'zod';

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
