import { Alert, Badge, Button, Group, List as Lines, Paper, Progress, Text } from '@mantine/core';
import { useMemo } from 'react';
import { every, useApi } from '../../api/use-api.ts';
import type { Place } from '../../api/use-places.ts';
import { count } from '../../parts/figures.tsx';
import { effectOf } from '../../parts/list-line.tsx';
import { Section } from '../../parts/page.tsx';
import { Paged } from '../../parts/paged.tsx';
import { WithResponse } from '../../parts/response.tsx';
import { Rows } from '../../parts/rows.tsx';
import { saveCsv } from '../../parts/save-file.ts';
import { useSession } from '../../session/session.tsx';
import { pointNames, type Session } from './points.ts';
import { elementOf, errorInFile, errorsAsCsv, type List } from './read-list.ts';

const again = every(2_000);

export function isFinished(session: Session | undefined): session is Session {
  return session?.status === 'FINISHED';
}

/** Reads a session, if there is one, until it has finished. */
export function useSyncSession(sessionId = '') {
  return useApi(
    'GET /places/sync/{sessionId}',
    { path: { sessionId } },
    {
      enabled: sessionId !== '',
      staleTime: ({ state }) => (isFinished(state.data) ? Number.POSITIVE_INFINITY : 0),
      refetchInterval: (asked) => !isFinished(asked.state.data) && again(asked),
    },
  );
}

/** `places` are the stored service points, `list` that of the session, if it was read from a file here. */
type Points = { places: readonly Place[]; list?: List | undefined };
type Props = Points & { title: string; sessionId: string };

/** Shows the effect of a session, and its warning, changes, remarks and errors. */
export function SessionOutcome({ title, sessionId, ...points }: Props) {
  const query = useSyncSession(sessionId);
  const rowOf = points.list?.rowOf ?? elementOf;
  return (
    <Paper withBorder p="sm">
      <Section title={title}>
        <WithResponse query={query}>
          {(session) => (
            <>
              <Text role="status">The list {effectOf(session)}.</Text>
              {session.status === 'PROCESSING' && (
                <Progress value={100} aria-label="Processing" animated mt={4} />
              )}
              <BlockedRemovals session={session} />
              {session.changes && <Changes session={session} changes={session.changes} {...points} />}
              <Remarks session={session} rowOf={rowOf} />
              <Errors session={session} rowOf={rowOf} />
            </>
          )}
        </WithResponse>
      </Section>
    </Paper>
  );
}

/** The number of removals that the user can confirm: none if every element of the list is rejected. */
export function removalsToConfirm({ counts: { removalsHeld = 0, received, rejected } }: Session): number {
  return rejected < received ? removalsHeld : 0;
}

function BlockedRemovals({ session }: { session: Session }) {
  const { limits } = useSession().key;
  const { counts, dryRun } = session;
  if (!counts.removalsHeld) return null;
  const many = count(counts.removalsHeld, 'stored service point');
  return (
    <Alert color="yellow" mt="xs" title={`${many} ${dryRun ? 'would stay' : 'stayed'}`}>
      The list does not name them.{' '}
      {removalsToConfirm(session) > 0
        ? `They are more than ${limits.removalPercent} % of all, so they are removed only if you confirm it when you send the list.`
        : 'Nothing is removed by a list whose every element is rejected: correct it first.'}
    </Alert>
  );
}

/** How each kind of change is shown: by a sign, a colour and a word. Those that a list removes come first. */
const kinds = {
  removed: ['−', 'red', 'removed'],
  updated: ['~', 'orange', 'updated'],
  added: ['+', 'green', 'added'],
} as const;

type ChangesProps = Points & { session: Session; changes: NonNullable<Session['changes']> };

function Changes({ session: { counts, dryRun }, changes, places, list }: ChangesProps) {
  const names = useMemo(() => pointNames(places, list), [places, list]);
  const { removed = [], updated = [], added = [] } = changes;
  const named = [
    ...removed.map((itemId) => ({ kind: 'removed' as const, itemId, members: [] })),
    ...updated.map((point) => ({ kind: 'updated' as const, ...point })),
    ...added.map((itemId) => ({ kind: 'added' as const, itemId, members: [] })),
  ];
  const held = counts.removalsHeld ?? 0;
  const all = counts.added + counts.updated + counts.removed + held;
  return (
    <Section title={dryRun ? 'What would change' : 'What changed'}>
      <Paged items={named} pageSize={10}>
        {(shown) => (
          <Rows
            label="Changes"
            items={shown}
            idOf={({ kind, itemId }) => `${kind} ${itemId}`}
            columns={{
              Change: ({ kind }) => {
                const [sign, color, word] = kinds[kind];
                return (
                  <Badge color={color}>
                    <span aria-hidden>{sign} </span>
                    {kind === 'removed' && held > 0 ? 'not in the list' : word}
                  </Badge>
                );
              },
              'Service point': ({ itemId }) => names.get(itemId) ?? itemId,
              Members: ({ members }) => members.join(', '),
            }}
          />
        )}
      </Paged>
      {named.length < all && (
        <Text c="dimmed" mt="xs">
          These are {count(named.length)} of {count(all)}: of each kind the first 100 are named.
        </Text>
      )}
    </Section>
  );
}

type InFile = { session: Session; rowOf: List['rowOf'] };

/** The remarks of the session, by their kind: the service accepted the points, although they look wrong. */
function Remarks({ session: { remarks }, rowOf }: InFile) {
  const all = remarks.reduce((sum, remark) => sum + remark.count, 0);
  const shown = remarks.reduce((sum, { samples }) => sum + samples.length, 0);
  return (
    <>
      {remarks.map(({ code, count: points, samples }) => (
        <Alert key={code} color="yellow" mt="xs" title={`${code}: ${count(points, 'service point')}`}>
          <Lines size="sm" aria-label={`Remarks ${code}`}>
            {samples.map(({ itemId = '', description }) => {
              const sample = errorInFile({ place: { itemId }, description }, rowOf);
              return (
                <Lines.Item key={description} style={{ overflowWrap: 'anywhere' }}>
                  {[sample.row, itemId].filter(Boolean).join(' ')}: {sample.description}
                </Lines.Item>
              );
            })}
          </Lines>
        </Alert>
      ))}
      {shown < all && (
        <Text mt="xs">
          The service names {count(shown)} of these {count(all)} points.
        </Text>
      )}
    </>
  );
}

function Errors({ session: { errors, counts }, rowOf }: InFile) {
  if (errors.length === 0) return null;
  const shown = errors.slice(0, 5);
  return (
    <>
      <Rows
        label="Errors"
        items={shown.map((error) => errorInFile(error, rowOf))}
        idOf={({ row, description }) => `${row} ${description}`}
        columns={{
          'In the file': ({ row }) => row,
          itemId: ({ itemId }) => itemId,
          Error: ({ description }) => description,
        }}
      />
      <Group mt="xs">
        <Button size="xs" variant="default" onClick={() => saveCsv('errors.csv', errorsAsCsv(errors, rowOf))}>
          Save the errors as CSV
        </Button>
        {counts.rejected > shown.length && (
          <Text>
            {shown.length} of {count(counts.rejected)} errors are shown
            {errors.length < counts.rejected && `; the file has the first ${count(errors.length)}`}.
          </Text>
        )}
      </Group>
    </>
  );
}
