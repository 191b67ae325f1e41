import { Badge } from '@mantine/core';
import type { Answer } from '../api/operations.ts';
import { count } from './count.ts';

type Session = Answer<'GET /places/sync'>['sessions'][number];

/** The state of a list; green only if it took effect as a whole. */
export function ListBadge({ status, dryRun, counts }: Pick<Session, 'status' | 'dryRun' | 'counts'>) {
  if (dryRun) return <Badge color="gray">Dry run</Badge>;
  if (counts.removalsHeld) return <Badge color="yellow">Removals held</Badge>;
  return <Badge color={status === 'FINISHED' ? 'green' : 'blue'}>{status}</Badge>;
}

/** `3 added, 531 removals held`. */
export function changesIn({
  added,
  updated,
  removed,
  rejected,
  removalsHeld = 0,
}: Session['counts']): string {
  const changes = Object.entries({ added, updated, removed, rejected, 'removals held': removalsHeld })
    .filter(([, changed]) => changed > 0)
    .map(([what, changed]) => `${count(changed)} ${what}`);
  return changes.join(', ') || 'no changes';
}
