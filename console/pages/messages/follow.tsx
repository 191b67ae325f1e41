import { Badge, Button, Group, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Answer } from '../../api/operations.ts';
import { every, useApi } from '../../api/use-api.ts';
import { Answered } from '../../parts/answered.tsx';
import { Card } from '../../parts/card.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Time } from '../../parts/time.tsx';
import { useSession } from '../../session/session.tsx';

interface Props {
  readonly messageId: string;
  readonly follow: (messageId: string) => void;
}

const againAfterMs = 2_000;

/** The states of a message as they come, with its callbacks. */
export function Follow({ messageId, follow }: Props) {
  const { key } = useSession();
  const [typed, setTyped] = useState(messageId);
  function submit(event: FormEvent) {
    event.preventDefault();
    follow(typed.trim());
  }
  return (
    <Card title="Follow a message">
      <Stack gap="sm">
        <form onSubmit={submit}>
          <Group align="flex-end" gap="xs" wrap="nowrap">
            <TextInput
              label="Message id"
              flex={1}
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            <Button type="submit" variant="default">
              Follow
            </Button>
          </Group>
        </form>
        {messageId === '' ? (
          <Text size="sm">Choose Follow beside an answer, or paste the id of a message.</Text>
        ) : (
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <States messageId={messageId} />
            {(key.role === 'full' || key.role === 'observer') && <Callbacks messageId={messageId} />}
          </SimpleGrid>
        )}
      </Stack>
    </Card>
  );
}

type History = Answer<'GET /push/{messageId}/transactional-state'>;

function States({ messageId }: Pick<Props, 'messageId'>) {
  const history = useApi(
    'GET /push/{messageId}/transactional-state',
    { path: { messageId } },
    { refetchInterval: (query) => !isFinal(query.state.data) && every(againAfterMs)(query) },
  );
  return (
    <section aria-label="States">
      <Title order={3} size="h6" mb={4}>
        States
      </Title>
      <Answered query={history}>
        {(data) => (
          <>
            <Rows
              label="States"
              columns={['State', 'Time']}
              rows={data.states.map(({ state, time }) => ({
                key: state,
                cells: [<Badge key="state">{state}</Badge>, <Time key="time" at={isoTime(time)} />],
              }))}
            />
            <Text size="xs" c="dimmed" mt={4} role="status">
              {isFinal(data) ? 'No more states follow.' : 'What follows appears here by itself.'}
            </Text>
          </>
        )}
      </Answered>
    </section>
  );
}

function isFinal(history: History | undefined): boolean {
  const has = (wanted: string) => history?.states.some(({ state }) => state === wanted) ?? false;
  return has('MSISDN_NOT_REGISTERED') || (has('DELIVERED') && has('OPENED'));
}

/** `2026-05-20T15:00:00+0300` as all browsers read it. */
function isoTime(time: string): string {
  return time.replace(/(\d\d)(\d\d)$/, '$1:$2');
}

function Callbacks({ messageId }: Pick<Props, 'messageId'>) {
  const callbacks = useApi(
    'GET /callbacks',
    { query: { messageId } },
    { refetchInterval: every(againAfterMs) },
  );
  return (
    <section aria-label="Callbacks">
      <Title order={3} size="h6" mb={4}>
        Callbacks
      </Title>
      <Answered query={callbacks}>
        {({ callbacks: all }) =>
          all.length === 0 ? (
            <Text size="sm">
              None is listed. States are called back if the message asks for it and an endpoint is set: see
              the page Callbacks.
            </Text>
          ) : (
            <Rows
              label="Callbacks of the message"
              columns={['State', 'Callback', 'Attempts']}
              rows={all.toReversed().map(({ state, status, attempts, reason }) => ({
                key: state,
                cells: [
                  <Badge key="state">{state}</Badge>,
                  [status, reason].filter(Boolean).join(': '),
                  attempts.map(({ httpStatus, error }) => httpStatus ?? error).join(', '),
                ],
              }))}
            />
          )
        }
      </Answered>
    </section>
  );
}
