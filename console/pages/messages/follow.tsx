import { Anchor, Badge, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { ResponseTo } from '../../api/operations.ts';
import { every, useApi } from '../../api/use-api.ts';
import { LineForm } from '../../parts/form.tsx';
import { Card, Section } from '../../parts/page.tsx';
import { WithResponse } from '../../parts/response.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Time } from '../../parts/time.tsx';
import { useSession } from '../../session/session.tsx';
import { TakeBack } from './take-back.tsx';

const again = every(2_000);

export function Follow({ messageId, follow }: { messageId: string; follow: (messageId: string) => void }) {
  const mayReadCallbacks = useSession().may('observer');
  return (
    <Card title="Follow a message">
      <Stack gap="sm">
        <LineForm label="Message id" initial={messageId} button="Follow" onSubmit={follow} />
        {messageId === '' ? (
          <Text>
            Paste the id of a message of the last 30 days. The report of a send, as CSV, has those of its
            messages.
          </Text>
        ) : (
          <>
            <States messageId={messageId} />
            {mayReadCallbacks && (
              <Anchor component={Link} href={callbacksOf(messageId)} size="sm" underline="always">
                Its callbacks
              </Anchor>
            )}
          </>
        )}
      </Stack>
    </Card>
  );
}

function callbacksOf(messageId: string): string {
  return `/callbacks?${new URLSearchParams({ messageId })}`;
}

function States({ messageId }: { messageId: string }) {
  const maySend = useSession().may('messages');
  const history = useApi(
    'GET /push/{messageId}/transactional-state',
    { path: { messageId } },
    { refetchInterval: (query) => !isFinal(query.state.data) && again(query) },
  );
  return (
    <Section title="States">
      <WithResponse query={history}>
        {(data) => (
          <>
            <Rows
              label="States"
              items={data.states}
              idOf={({ state }) => state}
              columns={{
                State: ({ state }) => <Badge {...(ends.has(state) && { color: 'orange' })}>{state}</Badge>,
                Time: ({ time }) => <Time at={isoTime(time)} />,
              }}
            />
            <Text size="xs" c="dimmed" mt={4} role="status">
              {outlookOf(data)}
            </Text>
            {maySend && outlookOf(data) === open && !has(data, 'OPENED') && (
              <TakeBack of="message" messageId={messageId} on={messageId} />
            )}
          </>
        )}
      </WithResponse>
    </Section>
  );
}

type History = ResponseTo<'GET /push/{messageId}/transactional-state'>;

function has(history: History | undefined, wanted: string): boolean {
  return history?.states.some(({ state }) => state === wanted) ?? false;
}

function isFinal(history: History | undefined): boolean {
  const isOpened = has(history, 'DELIVERED') && has(history, 'OPENED');
  return isOpened || has(history, 'MSISDN_NOT_REGISTERED');
}

const ends: ReadonlySet<string> = new Set(['EXPIRED', 'CANCELLED']);
const open = 'What follows appears here by itself.';

function outlookOf(history: History): string {
  if (isFinal(history)) return 'No more states follow.';
  const end = history.states.find(({ state }) => ends.has(state));
  if (!end) return open;
  return end.state === 'EXPIRED'
    ? 'It has expired. A phone that showed it in time may still report that.'
    : 'It was taken back. A phone on which it was opened before may still report that.';
}

/** Adds the colon to the offset of `2026-05-20T15:00:00+0300`, which not all browsers read without it. */
function isoTime(time: string): string {
  return time.replace(/(\d\d)(\d\d)$/, '$1:$2');
}
