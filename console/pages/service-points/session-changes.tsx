import { Text } from '@mantine/core';
import { use } from 'react';
import { count } from '../../parts/count.ts';
import { Section } from '../../parts/page.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Rows } from '../../parts/rows.tsx';
import { KindBadge } from './kind-badge.tsx';
import { PointLink, PointsContext } from './point-link.tsx';
import { kinds, type Mark, marksOf, type Session } from './points.ts';

const pageSize = 10;

/** The points that a list changes, with what changes of them. The service names 100 of each kind. */
export function SessionChanges({ session: { changes, counts, dryRun } }: { session: Session }) {
  const { find } = use(PointsContext);
  if (!changes) return null;
  const marks = marksOf(changes, find);
  const held = counts.removalsHeld ?? 0;
  const all = counts.added + counts.updated + counts.removed + held;
  const wordOf = ({ kind }: Mark) => (kind === 'removed' && held > 0 ? 'not in the list' : kinds[kind].word);
  return (
    <Section title={dryRun ? 'What would change' : 'What changed'}>
      <Paged items={marks} pageSize={pageSize}>
        {(shown) => (
          <Rows
            label="Changes"
            items={shown}
            idOf={({ kind, itemId }) => `${kind} ${itemId}`}
            columns={{
              Change: (mark) => <KindBadge kind={mark.kind} text={wordOf(mark)} />,
              'Service point': ({ itemId, name }) => <PointLink itemId={itemId} name={name} />,
              Members: ({ members }) => members?.join(', '),
            }}
          />
        )}
      </Paged>
      {marks.length < all && (
        <Text c="dimmed" mt="xs">
          These are {count(marks.length)} of {count(all)}: of each kind the first 100 are named.
        </Text>
      )}
    </Section>
  );
}
