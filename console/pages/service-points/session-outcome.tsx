import { Alert, Button, Group, Paper, Progress, Text } from '@mantine/core';
import { every, useApi } from '../../api/use-api.ts';
import type { Place } from '../../api/use-places.ts';
import { count } from '../../parts/figures.tsx';
import { effectOf } from '../../parts/list-line.tsx';
import { Section } from '../../parts/page.tsx';
import { WithResponse } from '../../parts/response.tsx';
import { Rows } from '../../parts/rows.tsx';
import { saveCsv } from '../../parts/save-file.ts';
import { useSession } from '../../session/session.tsx';
import { Effects } from './effects.tsx';
import { errorInFile, errorsAsCsv } from './in-file.ts';
import type { Session } from './points.ts';
import { elementOf, type List } from './read-list.ts';

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
              <Effects session={session} rowOf={rowOf} {...points} />
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

type InFile = { session: Session; rowOf: List['rowOf'] };

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
