import { Alert, Button, Group, Paper, Progress, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Answer } from '../../api/operations.ts';
import { useApi } from '../../api/use-api.ts';
import { Answered } from '../../parts/answered.tsx';
import { Section } from '../../parts/page.tsx';
import { Rows } from '../../parts/rows.tsx';
import { errorInFile, errorsAsCsv, type List } from './read-list.ts';

type Session = Answer<'GET /places/sync/{sessionId}'>;

interface Props {
  readonly title: string;
  readonly sessionId: string;
  readonly rowOf: List['rowOf'];
  readonly onFinished?: (session: Session) => void;
}

const againAfterMs = 400;
const errorsShown = 5;

export function SessionOutcome({ title, sessionId, rowOf, onFinished }: Props) {
  const queries = useQueryClient();
  const query = useApi(
    'GET /places/sync/{sessionId}',
    { path: { sessionId } },
    { refetchInterval: ({ state }) => (state.data?.status === 'FINISHED' ? false : againAfterMs) },
  );
  const finished = query.data?.status === 'FINISHED' ? query.data : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each session that has finished
  useEffect(() => {
    if (!finished) return;
    onFinished?.(finished);
    queries.invalidateQueries({ queryKey: ['GET /places/sync'] });
    if (!finished.dryRun) queries.invalidateQueries({ queryKey: ['GET /places'] });
  }, [finished?.sessionId]);
  return (
    <Paper withBorder p="sm">
      <Section title={title}>
        <Answered query={query}>{(session) => <Outcome session={session} rowOf={rowOf} />}</Answered>
      </Section>
    </Paper>
  );
}

function Outcome({ session, rowOf }: { session: Session } & Pick<Props, 'rowOf'>) {
  const { status, counts, warnings = [], errors, errorsOmitted, dryRun } = session;
  const { added, updated, unchanged, removed, rejected, removalsHeld } = counts;
  const state = status === 'PROCESSING' ? 'Under way' : dryRun ? 'Would be' : 'Finished';
  return (
    <>
      <Text role="status">
        {state}: {added} added, {updated} updated, {unchanged} unchanged, {removed} removed, {rejected}{' '}
        rejected{removalsHeld ? `, ${removalsHeld} removals held` : ''}
      </Text>
      {status === 'PROCESSING' && <Progress value={100} aria-label="Processing" animated mt={4} />}
      {warnings.map((warning) => (
        <Alert key={warning} color="yellow" mt="xs" title="Removals that need your confirmation">
          {warning}
        </Alert>
      ))}
      {errors.length > 0 && (
        <>
          <Rows
            label="Errors"
            items={errors.slice(0, errorsShown).map((error) => errorInFile(error, rowOf))}
            idOf={({ row, description }) => `${row} ${description}`}
            columns={{
              'In the file': ({ row }) => row,
              itemId: ({ itemId }) => itemId,
              Error: ({ description }) => description,
            }}
          />
          <Group mt="xs">
            <Button
              size="xs"
              variant="default"
              onClick={() => save('errors.csv', errorsAsCsv(errors, rowOf))}
            >
              Save {errors.length} errors as CSV
            </Button>
            {errorsOmitted !== undefined && <Text>and {errorsOmitted} more than an answer can hold</Text>}
          </Group>
        </>
      )}
    </>
  );
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
