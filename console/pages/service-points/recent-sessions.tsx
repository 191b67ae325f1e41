import { Badge, Group, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ApiError } from '../../api/api-error.ts';
import type { Answer } from '../../api/operations.ts';
import { Answered } from '../../parts/answered.tsx';
import { Card } from '../../parts/card.tsx';
import { Time } from '../../parts/time.tsx';

const shown = 6;

type Counts = Answer<'GET /places/sync'>['sessions'][number]['counts'];

export function RecentSessions({
  query,
}: {
  readonly query: UseQueryResult<Answer<'GET /places/sync'>, ApiError>;
}) {
  return (
    <Card title="Recent lists">
      <Answered query={query}>
        {({ sessions }) =>
          sessions.length === 0 ? (
            <Text size="sm">No list was sent yet.</Text>
          ) : (
            <Stack gap="xs">
              {sessions.slice(0, shown).map(({ sessionId, startedAt, status, dryRun, counts }) => (
                <Group key={sessionId} justify="space-between" gap={4}>
                  <Text size="sm">
                    <Time at={startedAt} />: {changesIn(counts)}
                  </Text>
                  <Badge color={status === 'FINISHED' ? 'green' : 'blue'}>
                    {dryRun ? 'Dry run' : status}
                  </Badge>
                </Group>
              ))}
            </Stack>
          )
        }
      </Answered>
    </Card>
  );
}

/** `3 added, 2 rejected` */
function changesIn({ added, updated, removed, rejected }: Counts): string {
  const changes = Object.entries({ added, updated, removed, rejected })
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count.toLocaleString('en-GB')} ${what}`);
  return changes.join(', ') || 'no changes';
}
