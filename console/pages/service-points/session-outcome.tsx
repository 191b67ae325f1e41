import { Alert, Button, Group, List, Paper, Progress, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Answer } from '../../api/operations.ts';
import { useApi } from '../../api/use-api.ts';
import { Answered } from '../../parts/answered.tsx';
import { Section } from '../../parts/page.tsx';
import { errorsAsCsv } from './read-list.ts';

type Session = Answer<'GET /places/sync/{sessionId}'>;

type Props = { title: string; sessionId: string; onFinished?: (session: Session) => void };

const againAfterMs = 400;
const errorsShown = 5;

export function SessionOutcome({ title, sessionId, onFinished }: Props) {
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
        <Answered query={query}>{(session) => <Outcome {...session} />}</Answered>
      </Section>
    </Paper>
  );
}

function Outcome({ status, counts, warnings = [], errors, errorsOmitted }: Session) {
  const { received, added, updated, unchanged, removed, rejected } = counts;
  const done = added + updated + unchanged + rejected;
  return (
    <>
      <Text role="status">
        {status === 'FINISHED' ? 'Finished' : 'Under way'}: {added} added, {updated} updated, {unchanged}{' '}
        unchanged, {removed} removed, {rejected} rejected
      </Text>
      {status === 'PROCESSING' && (
        <Progress value={(100 * done) / received} aria-label="Processed" animated mt={4} />
      )}
      {warnings.map((warning) => (
        <Alert key={warning} color="yellow" mt="xs" title="Points that would be removed">
          {warning}
        </Alert>
      ))}
      {errors.length > 0 && (
        <>
          <List size="sm" mt="xs">
            {errors.slice(0, errorsShown).map(({ description }) => (
              <List.Item key={description}>{description}</List.Item>
            ))}
          </List>
          <Group mt="xs">
            <Button size="xs" variant="default" onClick={() => save('errors.csv', errorsAsCsv(errors))}>
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
