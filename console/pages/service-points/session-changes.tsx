import { Badge, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { Place } from '../../api/use-places.ts';
import { count } from '../../parts/count.ts';
import { Section } from '../../parts/page.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Rows } from '../../parts/rows.tsx';
import { pointNames, type Session } from './points.ts';
import type { List } from './read-list.ts';

type Changes = NonNullable<Session['changes']>;
type Kind = keyof Changes;
type Change = { kind: Kind; itemId: string; members?: readonly string[] };

/** How each kind of change is shown: by a sign, a word and a colour. */
const kinds: Readonly<Record<Kind, { sign: string; word: string; color: string }>> = {
  removed: { sign: '−', word: 'removed', color: 'red' },
  updated: { sign: '~', word: 'updated', color: 'orange' },
  added: { sign: '+', word: 'added', color: 'green' },
};

const pageSize = 10;

type Props = {
  session: Session;
  /** The stored service points. */
  places: readonly Place[];
  /** The list of the session, if it was read from a file here. */
  list?: List | undefined;
};

/** The points that a list changes, with what changes of them. The service names 100 of each kind. */
export function SessionChanges({ session: { changes, counts, dryRun }, places, list }: Props) {
  const names = useMemo(() => pointNames(places, list), [places, list]);
  if (!changes) return null;
  const changed = changesIn(changes);
  const held = counts.removalsHeld ?? 0;
  const all = counts.added + counts.updated + counts.removed + held;
  const wordOf = (kind: Kind) => (kind === 'removed' && held > 0 ? 'not in the list' : kinds[kind].word);
  return (
    <Section title={dryRun ? 'What would change' : 'What changed'}>
      <Paged items={changed} pageSize={pageSize}>
        {(shown) => (
          <Rows
            label="Changes"
            items={shown}
            idOf={({ kind, itemId }) => `${kind} ${itemId}`}
            columns={{
              Change: ({ kind }) => <KindBadge kind={kind} text={wordOf(kind)} />,
              'Service point': ({ itemId }) => names.get(itemId) ?? itemId,
              Members: ({ members }) => members?.join(', '),
            }}
          />
        )}
      </Paged>
      {changed.length < all && (
        <Text c="dimmed" mt="xs">
          These are {count(changed.length)} of {count(all)}: of each kind the first 100 are named.
        </Text>
      )}
    </Section>
  );
}

/** Those that a list removes come first. */
function changesIn({ removed = [], updated = [], added = [] }: Changes): Change[] {
  return [
    ...removed.map((itemId) => ({ kind: 'removed' as const, itemId })),
    ...updated.map((point) => ({ kind: 'updated' as const, ...point })),
    ...added.map((itemId) => ({ kind: 'added' as const, itemId })),
  ];
}

function KindBadge({ kind, text }: { kind: Kind; text: string }) {
  const { sign, color } = kinds[kind];
  return (
    <Badge color={color} tt="none" miw="max-content">
      <span aria-hidden>{sign} </span>
      {text}
    </Badge>
  );
}
