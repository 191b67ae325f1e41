import { Badge, Text } from '@mantine/core';
import type { ResponseTo } from '../api/operations.ts';
import { count, Time } from './figures.tsx';

type Listed = ResponseTo<'GET /places/sync'>['sessions'][number];
type Session = Pick<Listed, 'status' | 'dryRun' | 'counts'> & { errors?: readonly unknown[] };

/** Shows when a list was sent, and its effect. */
export function ListLine({ of }: { of: Listed }) {
  return (
    <Text>
      <Time at={of.startedAt} />: {effectOf(of)} <ListBadge {...of} />
    </Text>
  );
}

/** The state of a list. It is green only if the list took effect as a whole. */
function ListBadge({ status, dryRun, counts }: Session) {
  if (dryRun) return <Badge color="gray">Dry run</Badge>;
  if (counts.removalsHeld) return <Badge color="yellow">Removals held</Badge>;
  return <Badge color={status === 'FINISHED' ? 'green' : 'blue'}>{status}</Badge>;
}

/** How each count is said, first of a dry run, then of a list that was sent. `#` is the number. */
const effects = {
  added: ['add #', 'added #'],
  updated: ['update #', 'updated #'],
  unchanged: ['leave # unchanged', 'left # unchanged'],
  removed: ['remove #', 'removed #'],
  rejected: ['reject #', 'rejected #'],
  removalsHeld: ['keep # that it does not name', 'kept # that it does not name'],
} as const;

const sentence = new Intl.ListFormat('en-GB');

/** Describes the effect of a list: `added 3 and kept 531 that it does not name`. A dry run says `would add 3`. */
export function effectOf({ status, dryRun, counts, errors = [] }: Session): string {
  if (status === 'PROCESSING') return dryRun ? 'is being checked' : 'is being processed';
  const parts = Object.entries(effects).flatMap(([name, [would, did]]) => {
    const many = counts[name as keyof typeof effects] ?? 0;
    return many === 0 ? [] : [(dryRun ? would : did).replace('#', count(many))];
  });
  // Every element counts somewhere, unless the list failed. One without elements may have found nothing to remove.
  if (parts.length === 0 && counts.received + errors.length > 0) return 'could not be processed';
  if (parts.length === 0) return dryRun ? 'would change nothing' : 'changed nothing';
  return `${dryRun ? 'would ' : ''}${sentence.format(parts)}`;
}
